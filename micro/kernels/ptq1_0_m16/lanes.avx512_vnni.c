/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two panels side by side: lanes.h.
 */
#include "micro/kernels/ptq1_0_m16/layout.h"

#define ROWS_TOGETHER 2
#include "micro/kernels/k_quant_lanes_512.h"

#include "micro/kernels/ptq1_0_m16/lanes.h"

const struct kernel SELF = PTQ1_0_LANES_KERNEL;

#include "micro/frames/gamma.h"
