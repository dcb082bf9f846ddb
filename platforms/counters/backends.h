/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORMS_COUNTERS_BACKENDS_H
#define PLATFORMS_COUNTERS_BACKENDS_H

#include "platforms/counters/counters.h"

/** Each at the end of its own file. */
extern const struct counters_backend counters_backend_perf;
extern const struct counters_backend counters_backend_papi;
extern const struct counters_backend counters_backend_likwid;
extern const struct counters_backend counters_backend_tsc;

#endif
