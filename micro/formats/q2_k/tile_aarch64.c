/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of rows one by one, zipped in registers as they are unpacked, then smmla, sdot, or smull, smlal and sadalp: gemm_unpacked_aarch64.h.
 */
#include "micro/formats/q2_k/unpack_aarch64.h"

ROWS_INLINE void block_codes(struct gemm_quad from, size_t sixteen, uint8x16_t *q)
{
    quad_of_rows(from.row, BLOCK_CODES + 16 * sixteen, q);
}

ROWS_INLINE void block_groups(struct gemm_quad from, uint8x16_t *word)
{
    quad_words_of_rows(from.row, 0, word);
}

ROWS_INLINE float32x4_t block_d(struct gemm_quad from)
{
    return quad_halves_of_rows(from.row, BLOCK_D);
}

ROWS_INLINE float32x4_t block_dmin(struct gemm_quad from)
{
    return quad_halves_of_rows(from.row, BLOCK_DMIN);
}

const struct kernel SELF = GEMM_UNPACKED_KERNEL;
