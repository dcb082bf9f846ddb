/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Without dot products: activations of four columns are brought to every row, products of two of them added in 16 bits.
 */
#include "micro/kernels/q8_0_m16/layout.h"

#define CODE_CHUNK  4
#define CODE_TURNED 0x80
#define CODE_BYTES  32
#define CODE_BITS   0
#include "micro/kernels/block32_panels_aarch64.h"

const struct kernel SELF = BLOCK32_PANELS_KERNEL;

#include "micro/frames/gamma.h"
