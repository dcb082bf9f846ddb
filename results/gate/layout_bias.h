/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

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
 * What of a distance is due to the layout, where noise alone has the distance `noise`: the root of the difference of the
 * squares, 0 if that of noise is as large. NaN if either is.
 */
double layout_bias_net(double distance, double noise);

/** What samples say of a factor whose levels took turns; NaN where a level has too few samples. */
struct layout_bias {
    double spread;   /* of the levels */
    double distance; /* of the levels, logarithm */
    double noise;    /* median distance of the same samples with the levels of each round shuffled, logarithm */
    double net;      /* of distance and noise; 0 where more than 5% of the shuffles are as far apart, logarithm */
};

/**
 * From times[rounds][levels], > 0, NaN where one was rejected. What disturbs the machine mostly disturbs a whole round,
 * so each time is held against the median of its round, of which at least half must have been kept; a level is the median
 * of what is left, of at least STATS_KEPT_LEAST. Shuffling the levels within the rounds leaves the noise and takes away
 * what the levels did: the same times give the same noise.
 */
struct layout_bias layout_bias_of(const double *times, size_t rounds, size_t levels);
