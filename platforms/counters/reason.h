/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

enum { COUNTERS_TEXT = 240 };

/** Why something does not work and what would change it, one line each; "" where there is nothing to say. */
struct counters_reason {
    char cause[COUNTERS_TEXT];
    char remedy[COUNTERS_TEXT];
};

/** Writing of reasons. Text that does not fit is cut. */
void reason_cause(struct counters_reason *reason, const char *format, ...) __attribute__((format(printf, 2, 3)));
void reason_remedy(struct counters_reason *reason, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** "cause; remedy", or the one that there is. */
void reason_line(const struct counters_reason *reason, char *line, size_t size);
