/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows interleaved by eight bytes for registers of 256 bits, on 128: q4_0_4x8.signed.neon_dotprod twice.
 */
#define SELF_DIFFERS  "with our prefetch; not measured beside its original, as nothing of aarch64 is"
#define KERNEL_ORIGIN "arm-kernels-codebooks"

#include "micro/kernels/q4_0_8x8/layout.h"

#define CODE_CHUNK  8
#define CODE_TURNED 0
#include "micro/kernels/q4_0/codes_aarch64.h"

#include "micro/kernels/block32_panels_aarch64.h"

const struct kernel SELF = BLOCK32_PANELS_KERNEL;

#include "micro/frames/gamma.h"
