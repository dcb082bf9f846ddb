/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lanes are rows: lanes.h.
 */
#include "micro/kernels/q6_k_m16/layout.h"

#define ROWS_TOGETHER 2
#include "micro/kernels/k_quant_lanes_512.h"

#include "micro/kernels/q6_k_m16/lanes.h"

const struct kernel SELF = Q6_K_LANES_KERNEL(4096);

#include "micro/frames/gamma.h"
