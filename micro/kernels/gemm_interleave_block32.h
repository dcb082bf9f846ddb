/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm_interleave() of gemm_blocks.h for rows of blocks of 32 that begin with a scale of 16 bits: to the blocks of 16 rows that
 * gemm_block32_operand.h describes, some 90 uops for 16 rows of nibbles, which a token takes 11 of.
 */
#ifndef MICRO_KERNELS_GEMM_INTERLEAVE_BLOCK32_H
#define MICRO_KERNELS_GEMM_INTERLEAVE_BLOCK32_H

#include "micro/kernels/gemm_interleave_avx512.h"

ROWS_INLINE void gemm_interleave_rows(const uint8_t *rows, size_t stride, size_t count, uint8_t *to)
{
    gemm_gather_halves(rows, stride, count, to);
#pragma GCC unroll 2
    for (int part = 0; part < GEMM_LINES / 4; part++) {
        __m512i lines[4];
        gemm_transpose(rows + 2 + 16 * part, stride, count, lines);
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            _mm512_storeu_si512(to + 32 + 256 * part + 64 * i, lines[i]);
    }
}

static void gemm_interleave(const uint8_t *rows, size_t stride, size_t count, size_t block, uint8_t *to)
{
    if (count >= 16)
        gemm_interleave_rows(rows + block * GEMM_BLOCK_BYTES, stride, 16, to);
    else
        gemm_interleave_rows(rows + block * GEMM_BLOCK_BYTES, stride, count, to);
}

#endif
