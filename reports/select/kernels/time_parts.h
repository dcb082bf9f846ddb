/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "reports/select/run/view.h"

/**
 * Where the time of a cold GEMV goes, from the records of its run. The parts add up to the time measured:
 *
 *     memory        packed bytes / beta of the team
 *     compute       what computing takes longer than that: of it nothing hides, even if all the rest overlaps
 *     ends          panel ends, and page ends where the pool is not on huge pages: events x what one costs
 *     prefetch      what another distance of the software prefetch saves, at least
 *     start         of the call, the meeting of the team included
 *     unexplained   the rest; below zero if the parts overlapped each other
 *
 * Computing is the kernel's own from the second cache, less the panel ends in it, where records of type "term" have it;
 * else gamma times vectors over the clock. Ends and prefetch are what such records say; without any they stay in the
 * rest. Of the distances tried the one counts whose 95% interval says most, by the end that is nearest to nothing: of
 * several some come out well by luck.
 */
enum time_part { TIME_MEMORY, TIME_COMPUTE, TIME_ENDS, TIME_PREFETCH, TIME_START, TIME_UNEXPLAINED, TIME_PARTS };

/** "memory", "compute not hidden", … */
const char *time_part_name(enum time_part part);

struct time_parts {
    double total_s;          /* the median measured */
    double of_s[TIME_PARTS]; /* seconds; add up to it */
    bool ends_known;         /* else ends are 0 here and in the rest */
    bool compute_measured;   /* from the second cache; else from gamma */
};

/** @return whether time, beta and a computing time are there; *parts is untouched if not */
bool time_parts_of(const struct view *view, const json_t *gemv, struct time_parts *parts);
