/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A shift and a mask, then sdot of 256 bits: block32_rows_aarch64.h.
 */
#include "micro/kernels/q4_0/layout.h"

#define BLOCKS_TOGETHER 4
#define CODE_TURNED     0x88
#include "micro/kernels/q4_0/codes_aarch64.h"

#include "micro/kernels/block32_rows_aarch64.h"

#include "micro/frames/gamma.h"
