/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_STATISTICS_RATIO_H
#define RESULTS_STATISTICS_RATIO_H

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

#endif
