/* SPDX-License-Identifier: BSD-3-Clause
 *
 * No up-convert but the scale: smull, smlal2 and sadalp: block32_rows_aarch64.h.
 */
#include "micro/kernels/q8_0/layout.h"

#define BLOCKS_TOGETHER 2
#define CODE_BYTES      32

#include "micro/kernels/block32_rows_aarch64.h"

#include "micro/frames/gamma.h"
