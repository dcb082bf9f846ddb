/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 16 rows a step, lanes are rows; bits are masked in their bytes.
 */
#include "micro/kernels/q1_0_m16/layout.h"

#include "micro/kernels/fields_lanes_frame.h"
