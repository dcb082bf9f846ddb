/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 16 rows a step, lanes are rows: k_quant_lanes.h.
 */
#include "micro/kernels/q5_k_m16/layout.h"

#define ROWS_TOGETHER 2
#include "micro/kernels/k_quant_lanes_256.h"

#include "micro/kernels/k_quant_lanes.h"

const struct kernel SELF = K_QUANT_LANES_KERNEL(4096);

#include "micro/frames/gamma.h"
