/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes are looked up by vpshufb, 128 more than the weights. 55 vector uops for 16 blocks, 3.4 for 32 weights; iq4_nl.rows.avx2 takes 12.
 */
#include "micro/kernels/iq4_nl/codes_512.h"
#include "micro/kernels/iq4_nl/layout.h"

#define SUMS_FIT_16 0
#include "micro/kernels/block32_rows16.h"

const struct kernel SELF = BLOCK32_ROWS16_KERNEL;
