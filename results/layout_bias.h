/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_LAYOUT_BIAS_H
#define RESULTS_LAYOUT_BIAS_H

#include <stddef.h>

/**
 * What a change of layout alone does: the same work, measured with code, stack or data at other places. Two builds differ
 * in all of these without a line of their source being slower, so a loss that is no larger says nothing of the code
 * (Mytkowicz et al., "Producing wrong data without doing anything obviously wrong", 2009). Pure.
 */

/** Largest over smallest, less 1; NaN of fewer than two levels, or if one is not above 0. */
double layout_bias_spread(const double *medians, size_t count);

/**
 * 95th percentile of the distances |ln a - ln b| of all pairs of levels: how far two layouts drawn at random are from
 * each other. NaN as above.
 */
double layout_bias_distance(const double *medians, size_t count);

/**
 * What of a distance is due to the layout, where levels that differ in nothing have the distance `control`: the root of
 * the difference of the squares, 0 if the control's is as large. NaN if either is.
 */
double layout_bias_net(double distance, double control);

#endif
