/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMMs of interleaved rows of Q2_K on aarch64; the including .c includes the panel_aarch64.h of its order before it.
 */
#include "micro/kernels/q2_k/unpack_aarch64.h"

ROWS_INLINE void block_codes(struct gemm_quad from, size_t sixteen, uint8x16_t *q)
{
    panel_codes(from.panel, from.row, sixteen, q);
}

ROWS_INLINE void block_groups(struct gemm_quad from, uint8x16_t *word)
{
#pragma GCC unroll 4
    for (size_t m = 0; m < 4; m++)
        word[m] = group_words(from.panel, from.row, m);
}

ROWS_INLINE float32x4_t block_d(struct gemm_quad from)
{
    return quad_halves(from.panel + PANEL_D + 2 * from.row);
}

ROWS_INLINE float32x4_t block_dmin(struct gemm_quad from)
{
    return quad_halves(from.panel + PANEL_DMIN + 2 * from.row);
}
