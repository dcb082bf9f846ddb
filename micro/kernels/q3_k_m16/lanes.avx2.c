/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lanes are rows: lanes.h.
 */
#include "micro/kernels/q3_k_m16/layout.h"

#define ROWS_TOGETHER 2
#include "micro/kernels/k_quant_lanes_256.h"

#include "micro/kernels/q3_k_m16/lanes.h"

const struct kernel SELF = Q3_K_LANES_KERNEL(3072);

#include "micro/frames/gamma.h"
