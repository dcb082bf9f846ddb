/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORMS_COUNTERS_REASON_H
#define PLATFORMS_COUNTERS_REASON_H

#include "platforms/counters/counters.h"

/** Writing of reasons. Text that does not fit is cut. */

void reason_cause(struct counters_reason *reason, const char *format, ...) __attribute__((format(printf, 2, 3)));
void reason_remedy(struct counters_reason *reason, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** "cause; remedy", or the one that there is. */
void reason_line(const struct counters_reason *reason, char *line, size_t size);

/** Set a value to unavailable (NaN) with its reason. */
void value_unavailable(struct counter_value *value, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Fill a probe: no quantity, the given back end. */
void probe_clear(struct counters_probe *probe, const struct counters_backend *backend);

/** Same cause and remedy for the back end and each quantity of the set. */
void probe_fail(struct counters_probe *probe, const struct counters_reason *reason, counter_set quantities);

/** Set works from the quantities; when none works and no cause is given yet, take the first quantity's. */
void probe_conclude(struct counters_probe *probe);

#endif
