/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 16 rows a step, 8 of them at a time: lanes.h.
 */
#include "micro/kernels/q6_k_m16/layout.h"

#define ROWS_TOGETHER 2
#include "micro/kernels/k_quant_lanes_256.h"

#include "micro/kernels/q6_k_m16/lanes.h"

const struct kernel SELF = Q6_K_LANES_KERNEL(4096);

#include "micro/frames/gamma.h"
