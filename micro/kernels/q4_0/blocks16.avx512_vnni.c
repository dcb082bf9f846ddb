/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 43 vector uops for 16 blocks, 2.7 for 32 weights; q4_0.rows.avx2 takes 10. Sums of codes and activations reach 15 * 127 * 8 a lane and
 * twice that after the first pairs: 30480.
 */
#include "micro/kernels/q4_0/codes_512.h"
#include "micro/kernels/q4_0/layout.h"

#define SUMS_FIT_16 1
#include "micro/kernels/block32_rows16.h"

const struct kernel SELF = BLOCK32_ROWS16_KERNEL;
