/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/reason.h"

#include <stdarg.h>
#include <stdio.h>

void reason_cause(struct counters_reason *reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason->cause, sizeof reason->cause, format, arguments);
    va_end(arguments);
}

void reason_remedy(struct counters_reason *reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason->remedy, sizeof reason->remedy, format, arguments);
    va_end(arguments);
}

void reason_line(const struct counters_reason *reason, char *line, size_t size)
{
    snprintf(line, size, "%s%s%s", reason->cause, reason->cause[0] && reason->remedy[0] ? "; " : "", reason->remedy);
}
