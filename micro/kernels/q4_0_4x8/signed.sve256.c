/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows interleaved by eight bytes on registers of 256 bits, which have eight columns of each.
 */
#include "micro/kernels/q4_0_4x8/layout.h"

#define CODE_CHUNK  8
#define CODE_TURNED 0
#include "micro/kernels/q4_0/codes_aarch64.h"

#include "micro/kernels/block32_panels_aarch64.h"

const struct kernel SELF = BLOCK32_PANELS_KERNEL;

#include "micro/frames/gamma.h"
