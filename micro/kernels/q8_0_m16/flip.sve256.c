/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sixteen rows, eight to a register of 256 bits: bytes are 128 more than the weight, which turning their upper bit over makes signed.
 */
#include "micro/kernels/q8_0_m16/layout.h"

#define CODE_CHUNK  4
#define CODE_TURNED 0x80
#define CODE_BYTES  32
#define CODE_BITS   0
#include "micro/kernels/block32_panels_aarch64.h"

const struct kernel SELF = BLOCK32_PANELS_KERNEL;

#include "micro/frames/gamma.h"
