/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZATION_MIXED_RANGES_H
#define MICRO_QUANTIZATION_MIXED_RANGES_H

#include <stddef.h>

/**
 * How unequal the ranges of a matrix's groups are [mixed-2-4-16, 3.2 and Fig. 4]: the largest less the smallest of 16 neighbouring
 * weights of a row, which a scale has to span; and the mean of these over the rows of 16 columns, which get their bits together.
 */
enum { MIXED_RANGE_SHARES = 8 };

/** Shares of the groups, ascending: 0.1 to 1. */
extern const double mixed_range_shares[MIXED_RANGE_SHARES];

/** At each share the range that so many groups do not exceed, over that of half of them; NaN where that is 0. */
struct mixed_ranges {
    double rows[MIXED_RANGE_SHARES], columns[MIXED_RANGE_SHARES];
};

/**
 * @param w  [m][k]; k a multiple of 16; neither is 0
 * @return 0 or -ENOMEM
 */
int mixed_ranges_of(const float *w, size_t m, size_t k, struct mixed_ranges *ranges);

#endif
