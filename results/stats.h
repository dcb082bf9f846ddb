/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_STATS_H
#define RESULTS_STATS_H

#include <stddef.h>

/** Summary of the kept samples of one quantity. All fields NaN and n 0 when nothing was kept. */
struct summary {
    double median, min, max;
    double mad;      /* median absolute deviation from the median, unscaled */
    double ci95[2];  /* distribution-free interval of the median from binomial order statistics; [min, max] for n < 6 */
    size_t n;        /* kept */
    size_t rejected; /* set by the caller afterwards; stats_summarize writes 0 */
};

/** Summarize n finite values (order kept; the function works on a copy). @return 0, -ENOMEM, -EINVAL for a non-finite
 * value. */
int stats_summarize(const double *values, size_t n, struct summary *summary);

/** Sort in ascending order; the values are finite. */
void stats_sort(double *values, size_t n);

/** Median of n values; NaN for n == 0, a NaN among them, or no memory. */
double stats_median(const double *values, size_t n);

/**
 * Ranks (1-based, lower and upper) of the order statistics that bound the median with at least the given confidence:
 * the largest lower with P(Binomial(n, 1/2) < lower) <= (1 - confidence) / 2. Too few values for it, and n < 6, give 1
 * and n.
 */
void stats_median_ranks(size_t n, double confidence, size_t *lower, size_t *upper);

#endif
