/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sixteen rows, four to a register; but for where sums begin q4_0.signed.neon_dotprod.
 */
#include "micro/kernels/q4_0_m16/offset_aarch64.h"

const struct kernel SELF = BLOCK32_PANELS_KERNEL;

#include "micro/frames/gamma.h"
