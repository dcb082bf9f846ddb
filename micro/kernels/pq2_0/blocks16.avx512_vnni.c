/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sixteen blocks of a row a turn, codes masked in their bytes: fields_rows16.h. Of 32 weights it takes what q2_0 takes.
 */
#include "micro/kernels/pq2_0/layout.h"

#define ROWS16_GAMMA "q2_0.blocks16.avx512_vnni"
#include "micro/kernels/fields_rows16.h"

const struct kernel SELF = BLOCK32_ROWS16_KERNEL;
