/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/**
 * Where making look-up tables takes as long as looking up [bitnet-cpp, A.1 and C.3]. Of K activations in groups of g, each weight one
 * of C, a product with M rows makes
 *
 *     C^g K / g      sums, once, whatever M is, and
 *     M K / g        look-ups,
 *
 * where multiplying makes M K products: fewer operations while C^g < M and g > 1. With C^g = M, the crossing, a longer group costs more
 * than it saves. That counts a sum as one look-up; what one really costs, in look-ups, is M / C^g where both take as long.
 *
 * Pure functions; NaN for an argument out of range.
 */

/** C^g; cardinality >= 2, group >= 1. */
double table_crossing_sums(double cardinality, double group);

/** A product that was measured: its rows, and seconds of it without making tables. */
struct table_crossing_point {
    double rows, seconds; /* both > 0 */
};

/**
 * The rows whose look-ups take as long as making the tables: on the line between the two points about it, in any order; below the fewest
 * rows in proportion to these, above the most to those.
 * @param seconds  of making the tables, > 0
 * @param within   set to whether it lies between points; may be NULL
 * @return NaN without points
 */
double table_crossing_measured(const struct table_crossing_point *points, size_t count, double seconds, bool *within);
