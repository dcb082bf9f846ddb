/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sixteen rows, eight to a register of 256 bits.
 */
#include "micro/kernels/q4_0_m16/offset_aarch64.h"

const struct kernel SELF = BLOCK32_PANELS_KERNEL;

#include "micro/frames/gamma.h"
