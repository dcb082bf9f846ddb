/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A tile of 16 interleaved rows of blocks of 32 with 256-bit registers: half a panel by four tokens. The caller says GEMM_BLOCK_BYTES,
 * GEMM_LINES, GEMM_OFFSET, and behind it unpacks a line and multiplies:
 *
 *   ROWS_INLINE __m256i gemm_low(__m256i line)    codes of its first four columns
 *   ROWS_INLINE __m256i gemm_high(__m256i line)   of the four that are 16 columns on; not of 8 lines
 *   ROWS_INLINE __m256i gemm_products(__m256i sums, __m256i codes, __m256i a, bool first)
 *                                                 adds codes times activations, in what lanes it likes; `first`: sums are not there yet
 *   ROWS_INLINE __m256i gemm_whole(__m256i sums, int32_t offset)   as 32 bits, and the offset added
 */
#ifndef MICRO_KERNELS_GEMM_BLOCK32_256_H
#define MICRO_KERNELS_GEMM_BLOCK32_256_H

#include <immintrin.h>
#include <stdbool.h>

#include "micro/kernels/rows.h"

#define GEMM_TOKENS  4
#define GEMM_VECTORS 1
#define gemm_floats  __m256
#include "micro/kernels/gemm_block32_operand.h"

ROWS_INLINE __m256i gemm_low(__m256i line);
#if GEMM_LINES == 4
ROWS_INLINE __m256i gemm_high(__m256i line);
#else
#define gemm_high(line) (line) /* not looked at */
#endif
ROWS_INLINE __m256i gemm_products(__m256i sums, __m256i codes, __m256i a, bool first);
ROWS_INLINE __m256i gemm_whole(__m256i sums, int32_t offset);

/** Four activations in all lanes. */
ROWS_INLINE __m256i gemm_broadcast(const int8_t *four)
{
    int32_t bits;
    memcpy(&bits, four, sizeof bits);
    return _mm256_set1_epi32(bits);
}

ROWS_INLINE void gemm_multiply(__m256i *sums, __m256i codes, const struct gemm_operand *x, int column, int tokens)
{
#pragma GCC unroll 4
    for (int t = 0; t < tokens; t++) {
        sums[t] = gemm_products(sums[t], codes, gemm_broadcast(x->q[t] + column), column == 0);
        ROWS_IN_REGISTER(sums[t]); /* or sums are made of all products at last, which no registers hold */
    }
}

ROWS_INLINE void gemm_block(__m256 (*sum)[1], const uint8_t *const *panel, size_t half, const struct gemm_operand *x,
                            int vectors, int tokens)
{
    (void)vectors;
    const uint8_t *codes = panel[0] + 32 + 32 * half;
    __m256i sums[GEMM_TOKENS];
#pragma GCC unroll 8
    for (int c = 0; c < GEMM_LINES; c++) {
        __m256i line = _mm256_loadu_si256((const __m256i *)(const void *)(codes + 64 * c));
        ROWS_IN_REGISTER(line);
        gemm_multiply(sums, gemm_low(line), x, 4 * c, tokens);
        if (GEMM_LINES == 4)
            gemm_multiply(sums, gemm_high(line), x, 16 + 4 * c, tokens);
    }
    __m256 scale = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(panel[0] + 16 * half)));
#pragma GCC unroll 4
    for (int t = 0; t < tokens; t++) {
        __m256 of_both = _mm256_mul_ps(scale, _mm256_set1_ps(x->scale[t]));
        sum[t][0] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(gemm_whole(sums[t], x->offset[t])), of_both, sum[t][0]);
    }
}

#endif
