/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of TQ2_0 on aarch64: rows are zipped and become -1, 0, 1 as they are unpacked, once for all tokens, then smmla, sdot, or smull, smlal and sadalp:
 * gemm_unpacked_aarch64.h.
 */
#define BLOCK_ROWS    1
#define GEMM_COLUMNS  BLOCK_COLUMNS
#define GEMM_INTEGERS 0
#define GEMM_GROUPS   0
#define GEMM_MINIMA   0
#include "micro/families/blocks/gemm_unpacked_aarch64.h"

enum { SCALE = 64 };

ROWS_INLINE void gemm_unpack(struct gemm_quad from, size_t columns, struct gemm_block *to)
{
    (void)columns; /* K is a multiple of a block */
#pragma GCC unroll 1
    for (size_t sixteen = 0; sixteen < 4; sixteen++) {
        uint8x16_t codes[4], q[4];
        quad_of_rows(from.row, 16 * sixteen, codes);
#pragma GCC unroll 4
        for (int field = 0; field < 4; field++) {
#pragma GCC unroll 4
            for (int i = 0; i < 4; i++)
                q[i] = vsubq_u8(quad_crumb(codes[i], field), vdupq_n_u8(1));
            gemm_put(to, from, sixteen / 2 * 8 + 2 * (size_t)field + sixteen % 2, q);
        }
    }
    vst1q_f32(to->d + 4 * from.number, quad_halves_of_rows(from.row, SCALE));
}

const struct kernel SELF = GEMM_UNPACKED_KERNEL;
