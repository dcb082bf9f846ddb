/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * Wilcoxon's signed-rank test of paired differences, its interval and the estimate of Hodges and Lehmann, exact for
 * every n. All of it comes from the n (n + 1) / 2 Walsh averages (d_i + d_j) / 2, i <= j: their median estimates the
 * shift, and the number of them that are not above zero is the statistic.
 *
 * Ties and zeros count against the hypothesis that is to be shown: the interval is closed, a zero is "not above zero".
 * With ties the test is then conservative, never the reverse, and test and bound always agree:
 * p <= alpha exactly when the bound at alpha excludes zero.
 *
 * Values are finite; NAN is returned for one that is not, for n == 0, and without memory.
 */

/** P(W <= w) of the statistic W under the hypothesis, for n pairs without ties. */
double signed_rank_probability(size_t n, size_t w);

/** Critical value: the largest w with P(W <= w) <= alpha; -1 where n is too small for any. */
long signed_rank_critical(size_t n, double alpha);

/** Median of the Walsh averages. */
double signed_rank_estimate(const double *difference, size_t n);

/** One-sided p of "the differences lie above zero": P(W <= number of Walsh averages <= 0). */
double signed_rank_p_above(const double *difference, size_t n);

/** One-sided bounds, each of confidence 1 - alpha; -INFINITY and INFINITY where n is too small for it. */
double signed_rank_lower(const double *difference, size_t n, double alpha);
double signed_rank_upper(const double *difference, size_t n, double alpha);
