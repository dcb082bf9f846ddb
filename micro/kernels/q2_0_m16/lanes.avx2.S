/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 16 rows a step, lanes are rows; codes are masked in their bytes.
 */
#include "micro/kernels/q2_0_m16/layout.h"

#define SUMS_OF_WORDS
#include "micro/kernels/fields_lanes_frame.h"
