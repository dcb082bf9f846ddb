/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "platforms/counters/backend.h"

/**
 * Hardware counters behind one interface.
 *
 *     counters_probe_all(&system, cpu, probes);                  once, before any thread exists
 *     counters_choose("auto", true, probes, COUNTERS_BACKENDS, &plan, why, sizeof why);   pure
 *     counters_open(&plan, &system, &request, &counters, …);     on the pinned thread
 *       counters_begin(counters);  …  counters_end(counters);    < 200 ns together with rdpmc or tsc
 *       counters_result(counters, &sample);                      arithmetic and verdicts
 *     counters_close(counters);
 *
 * A quantity is measured, estimated or unavailable with the reason. An absent one is NaN, never 0.
 *
 * Errors: 0 or a negative errno, with one line in why (always terminated). Nothing here prints or exits.
 */

/** Which back end counts what. */
struct counters_plan {
    struct {
        const struct counters_backend *backend; /* NULL: none can */
        enum counter_grade grade;
        char reason[COUNTERS_TEXT]; /* why none can, cause and remedy */
    } of[COUNTER_QUANTITIES];
};

/** Counters of one thread, over the back ends of a plan. */
struct counters;

/**
 * Probe every back end for one CPU, in the order of counters_backend(), COUNTERS_BACKENDS of platforms/counters/backends.h,
 * which only those include who count them. Call before any thread exists: some are tried
 * in a child process.
 * @return 0 or -ENOMEM
 */
int counters_probe_all(const struct counters_system *system, unsigned cpu, struct counters_probe *probes);

/**
 * Decide which back end counts which quantity. Pure.
 *
 * "auto" takes, per quantity, the best grade and among equals the first back end in order. A back end asked for by name
 * counts alone; it is never replaced.
 *
 * @param name          "auto" or the name of a back end
 * @param system_calls  false: what can only be read with a system call is not eligible (as in counters_request)
 * @return      0, -EINVAL for an unknown name, -ENOTSUP for a back end that does not work; why names cause and remedy
 */
int counters_choose(const char *name, bool system_calls, const struct counters_probe *probes, size_t count,
                    struct counters_plan *plan, char *why, size_t size);

/** Open on the calling thread, pinned to request->cpu. A quantity that fails to open is unavailable with its reason in
 * every sample. */
int counters_open(const struct counters_plan *plan, const struct counters_system *system,
                  const struct counters_request *request, struct counters **counters, char *why, size_t size);

/** Read the counters: core cycles are read last in begin and first in end. No allocation; no system call if the request
 * says so. */
void counters_begin(struct counters *counters);
void counters_end(struct counters *counters);

/** Differences between the last begin and end, with their grades. */
void counters_result(struct counters *counters, struct counters_sample *sample);
void counters_close(struct counters *counters);
