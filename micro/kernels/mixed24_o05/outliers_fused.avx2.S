/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The steps of mixed24.lanes, and outliers of each panel behind them: micro/kernels/mixed24_outliers_lanes.h.
 */
#define SUMS_OF_WORDS
#include "micro/kernels/mixed24_o05/layout.h"

#include "micro/kernels/mixed24/lanes_256.h"
