/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Without dot products: activations of four columns are brought to every row, products of two of them added in 16 bits.
 */
#include "micro/kernels/q4_0_m16/offset_aarch64.h"

const struct kernel SELF = BLOCK32_PANELS_KERNEL;

#include "micro/frames/gamma.h"
