/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "reports/select/run/view.h"
#include "results/statistics/stats.h"

/**
 * Choosing among the knee records of a run, each a sequence as a stream from one level with one team, and their
 * medians, for the figure, the findings and the table.
 */

/** Where one side takes less than this share of the other's time, overlap is dominated by noise. */
#define VALIDATION_BALANCED 0.25

/** A point with fewer kept pairs of samples than this is not valid. */
#define VALIDATION_PAIRS STATS_KEPT_LEAST

/** A point of the figure: beta, e_bw and distance are known, its prefetch distance is the one chosen, and it is of an
 * up-convert sequence, not of an experiment on instructions. */
bool validation_is_point(const json_t *knee);

/** A point that is exact, of enough pairs, and within what beta alone and gamma alone allow. */
bool validation_is_valid(const json_t *knee);

/** A valid point where both sides matter: its overlap says something. */
bool validation_is_balanced(const json_t *knee);

/** Whether it was measured with software prefetch. */
bool validation_prefetches(const json_t *knee);

/** The record of the same sequence, level and team with prefetch where this one has none; NULL if it is not there. */
const json_t *validation_with_prefetch(const struct view *view, const json_t *knee);

/** Which points; "cache" is every level but memory, NULL any. */
struct validation_query {
    const char *level;
    bool prefetch;
};
bool validation_matches(const json_t *knee, const struct validation_query *query);

/**
 * Median of a number of the valid points, of the balanced ones for "overlap". @return NaN without any; *count of them
 */
double validation_median(const struct view *view, const struct validation_query *query, const char *field,
                         size_t *count);

/** Median of how much more e_bw a point has with prefetch than without, less one, over the valid pairs of a level. */
double validation_gain(const struct view *view, const char *level, size_t *count);
