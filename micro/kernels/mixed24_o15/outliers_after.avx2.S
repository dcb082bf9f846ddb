/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The steps of mixed24.lanes, and outliers in a second pass: micro/kernels/mixed24_outliers_lanes.h.
 */
#define OUTLIERS_AFTER
#define SUMS_OF_WORDS
#include "micro/kernels/mixed24_o15/layout.h"

#include "micro/kernels/mixed24/lanes_256.h"
