/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * A number that is stated, in a record, a table, a figure or a platform file, rests on at least this many kept samples
 * (pairs, where it is made of pairs). It is the least count with a 95% interval of the median: all of n values lie on one
 * side of it with probability 2^(1-n). Code that chooses (a stream, a number of accumulators) may look at fewer, but
 * nothing that it looked at is stated.
 */
enum { STATS_KEPT_LEAST = 6 };

/** Summary of the kept samples of one quantity. All fields NaN and n 0 when nothing was kept. */
struct summary {
    double median, min, max;
    double mad;      /* median absolute deviation from the median, unscaled */
    double ci95[2];  /* distribution-free interval of the median from binomial order statistics; NaN below 6 values */
    size_t n;        /* kept */
    size_t rejected; /* set by the caller afterwards; stats_summarize writes 0 */
};

/** Summarize n finite values (order kept; the function works on a copy). @return 0, -ENOMEM, -EINVAL for a non-finite
 * value. */
int stats_summarize(const double *values, size_t n, struct summary *summary);

/** The median, if it rests on enough values to be stated; else NaN. */
double stats_stated(const struct summary *summary);

/** Sort in ascending order; the values are finite. */
void stats_sort(double *values, size_t n);

/**
 * The value of a rank, 0 … n - 1 in ascending order. The values are finite and change places: none before it is larger, none
 * after it smaller.
 */
double stats_ranked(double *values, size_t n, size_t rank);

/** The median of n > 0 finite values, which change places. */
double stats_middle(double *values, size_t n);

/** Median of n values; NaN for n == 0, a NaN among them, or no memory. */
double stats_median(const double *values, size_t n);

/** The same where a quarter of the values lies below: between the two nearest of them in proportion. */
double stats_lower_quartile(const double *values, size_t n);

/**
 * Ranks (1-based, lower and upper) of the order statistics that bound the median with at least the given confidence:
 * the largest lower with P(Binomial(n, 1/2) < lower) <= (1 - confidence) / 2. Too few values for it, and
 * n < STATS_KEPT_LEAST, give 1 and n, which then bound it with less.
 */
void stats_median_ranks(size_t n, double confidence, size_t *lower, size_t *upper);

/** A number with its 95% interval. */
struct bounded {
    double value, low, high;
};

/**
 * The ratio of two independent medians, both > 0, with the 95% interval that follows from theirs: the distances of the
 * ends from the middle, of logarithms, add as squares (the method of variance estimates recovery).
 * @return NaN in all fields where one is not known
 */
struct bounded ratio_of(const struct bounded *over, const struct bounded *under);
