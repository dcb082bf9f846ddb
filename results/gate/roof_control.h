/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * The roof beside a cell as a control variate of its pairs: what memory does to a cell that reads it, it does to the roof
 * that was read beside it, and no kernel can change that. So much of the cell's ratio as the roof's explains is taken off.
 *
 * How much that is, the slope, is that of the pairs' means: how the logarithm of a cell's time, of both sides together,
 * goes with that of its roof from pair to pair, between 0 (it does not) and 1 (in proportion). Exchanging the sides of a
 * pair does not change its means, so the slope is the same whichever side is head, and the signed-rank test of what
 * remains stays exact where nothing changed; nor does a loss, which moves all means alike. Pure functions.
 */
struct roof_pairs {
    const double *base, *head;           /* [count] values of the cell, > 0 */
    const double *base_roof, *head_roof; /* [count] of the roof beside them, in any one unit of time; NaN: not known */
    size_t count;
};

/** Fewest pairs with a known roof that a slope rests on. */
enum { ROOF_CONTROL_LEAST = 5 };

/** 0 to 1; 0 with fewer pairs, or with a roof that does not vary. */
double roof_control_slope(const struct roof_pairs *pairs);

/** The value of head in pair i with what its roof explains taken off; as it is where the roof is not known. */
double roof_control_head(const struct roof_pairs *pairs, size_t i, double slope);
