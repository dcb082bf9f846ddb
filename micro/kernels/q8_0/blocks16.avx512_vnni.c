/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 55 vector uops for 16 blocks, 3.4 for 32 weights; q8_0.rows.avx_vnni takes 7.
 */
#include "micro/kernels/q8_0/codes_512.h"
#include "micro/kernels/q8_0/layout.h"

#define CODES_ARE_BYTES
#define SUMS_FIT_16 0
#include "micro/kernels/block32_rows16.h"

const struct kernel SELF = BLOCK32_ROWS16_KERNEL;
