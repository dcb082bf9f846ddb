/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/reason.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

void value_unavailable(struct counter_value *value, const char *format, ...)
{
    va_list arguments;
    *value = (struct counter_value){.grade = COUNTER_UNAVAILABLE, .value = NAN};
    va_start(arguments, format);
    vsnprintf(value->reason, sizeof value->reason, format, arguments);
    va_end(arguments);
}

void probe_clear(struct counters_probe *probe, const struct counters_backend *backend)
{
    *probe = (struct counters_probe){.backend = backend};
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        reason_cause(&probe->of[q].reason, "%s does not count %s", backend->name,
                     counter_quantity_name((enum counter_quantity)q));
}

void probe_fail(struct counters_probe *probe, const struct counters_reason *reason, counter_set quantities)
{
    probe->reason = *reason;
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        if (quantities & COUNTER_SET(q))
            probe->of[q] = (struct counters_support){.grade = COUNTER_UNAVAILABLE, .reason = *reason};
}

void probe_conclude(struct counters_probe *probe)
{
    probe->works = false;
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        probe->works |= probe->of[q].grade != COUNTER_UNAVAILABLE;
    if (!probe->works && !probe->reason.cause[0])
        probe->reason = probe->of[0].reason;
}
