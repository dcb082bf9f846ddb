/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * The test of Mann and Whitney (Wilcoxon's rank sum) of two independent samples, the interval of the shift between them
 * and its estimate by Hodges and Lehmann. All of it comes from the m n differences head_j - base_i: their median
 * estimates the shift, and the number of them that are not above zero is the statistic U.
 *
 * Exact while m n <= RANK_SUM_EXACT; beyond, the normal approximation with its correction for continuity, which is
 * good to three digits there. Ties count against the hypothesis that is to be shown, as in results/statistics/signed_rank.h:
 * p <= alpha exactly when the bound at alpha excludes zero.
 *
 * Values are finite; NAN is returned for one that is not, for an empty sample, and without memory.
 */
enum { RANK_SUM_EXACT = 10000 };

/** P(U <= u) under the hypothesis, for samples of m and n without ties. */
double rank_sum_probability(size_t m, size_t n, size_t u);

/** Critical value: the largest u with P(U <= u) <= alpha; -1 where the samples are too small for any. */
long rank_sum_critical(size_t m, size_t n, double alpha);

/** Median of the differences head - base. */
double rank_sum_estimate(const double *base, size_t m, const double *head, size_t n);

/** One-sided p of "head lies above base": P(U <= number of differences <= 0). */
double rank_sum_p_above(const double *base, size_t m, const double *head, size_t n);

/** One-sided bounds of the shift, each of confidence 1 - alpha; -INFINITY and INFINITY where there are too few. */
double rank_sum_lower(const double *base, size_t m, const double *head, size_t n, double alpha);
double rank_sum_upper(const double *base, size_t m, const double *head, size_t n, double alpha);
