/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "results/statistics/stats.h"

/**
 * The best of many. The least of many medians is less than what it is a median of: it has the most luck, and the more
 * there are to choose from the more luck it has. So the samples of each are dealt to two halves, one after the other in
 * the order they were taken; the first half chooses, and what is reported is the second, which had no part in the choice.
 * What a whole visit shares (its pages, its clock) both halves share.
 *
 * A candidate needs STATS_KEPT_LEAST kept samples in each half, BEST_OF_KEPT_LEAST in all. Where there is nothing to
 * choose from, one candidate, there is no luck in it, and all of its samples are reported.
 */
enum { BEST_OF_KEPT_LEAST = 2 * STATS_KEPT_LEAST };

enum { HALF_CHOOSES, HALF_REPORTS, HALVES };

struct best_of_half {
    double median, ci95[2]; /* NaN below STATS_KEPT_LEAST */
    size_t n;
};

/** A half of values that were dealt to it. @return 0, -ENOMEM, -EINVAL for one that is not finite */
int half_of(const double *values, size_t n, struct best_of_half *half);

/** Whether both halves have enough samples to compete. */
bool halves_compete(const struct best_of_half halves[HALVES]);

/**
 * Which candidate the first halves choose; of equal ones the first.
 * @param greatest  whether more is better
 * @return its index, count if none can compete
 */
size_t best_of(const struct best_of_half (*candidates)[HALVES], size_t count, bool greatest);
