/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of interleaved rows of Q2_K: codes scaled once for all tokens, then smmla, sdot, or smull, smlal and sadalp: gemm_unpacked_aarch64.h. The
 * panel_aarch64.h of the format says where a block has what.
 */
#include "micro/of_self.h"
#include OF_FORMAT(panel_aarch64.h)

#include "micro/formats/q2_k/unpack_aarch64.h"

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

const struct kernel SELF = GEMM_UNPACKED_KERNEL;
