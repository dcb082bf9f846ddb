/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A tile of q4_0_m16 with 256-bit registers: half a panel by four tokens. Of a block and a token 8 rows take 8 vpmaddubsw,
 * whose sums fit 16 bits to the end of the block (15 * 127 * 2 * 8 = 30480), 7 additions of words, one vpmaddwd that makes
 * them 32 bits, and the offset, conversion and scales. The caller says GEMM_BLOCK_BYTES.
 */
#ifndef MICRO_KERNELS_Q4_0_M16_GEMM_AVX2_H
#define MICRO_KERNELS_Q4_0_M16_GEMM_AVX2_H

#include <immintrin.h>

#include "micro/kernels/rows.h"

#define GEMM_TOKENS  4
#define GEMM_VECTORS 1
#define gemm_floats  __m256
#include "micro/kernels/q4_0_m16/gemm_operand.h"

/** Four activations in all lanes. */
ROWS_INLINE __m256i gemm_broadcast(const int8_t *four)
{
    int32_t bits;
    memcpy(&bits, four, sizeof bits);
    return _mm256_set1_epi32(bits);
}

ROWS_INLINE void gemm_multiply(__m256i *words, __m256i codes, const struct gemm_operand *x, int column, int tokens)
{
#pragma GCC unroll 4
    for (int t = 0; t < tokens; t++) {
        __m256i product = _mm256_maddubs_epi16(codes, gemm_broadcast(x->q[t] + column));
        words[t] = column ? _mm256_add_epi16(words[t], product) : product;
        ROWS_IN_REGISTER(words[t]); /* or sums are made of all products at last, which no registers hold */
    }
}

ROWS_INLINE void gemm_block(__m256 (*sum)[1], const uint8_t *const *panel, size_t half, const struct gemm_operand *x,
                            int vectors, int tokens)
{
    (void)vectors;
    const __m256i nibble = _mm256_set1_epi8(15);
    const uint8_t *codes = panel[0] + 32 + 32 * half;
    __m256i words[GEMM_TOKENS];
#pragma GCC unroll 4
    for (int c = 0; c < 4; c++) {
        __m256i both = _mm256_loadu_si256((const __m256i *)(const void *)(codes + 64 * c));
        ROWS_IN_REGISTER(both);
        gemm_multiply(words, _mm256_and_si256(both, nibble), x, 4 * c, tokens);
        gemm_multiply(words, _mm256_and_si256(_mm256_srli_epi16(both, 4), nibble), x, 16 + 4 * c, tokens);
    }
    __m256 scale = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(panel[0] + 16 * half)));
#pragma GCC unroll 4
    for (int t = 0; t < tokens; t++) {
        __m256i whole =
            _mm256_add_epi32(_mm256_madd_epi16(words[t], _mm256_set1_epi16(1)), _mm256_set1_epi32(x->offset[t]));
        __m256 of_both = _mm256_mul_ps(scale, _mm256_set1_ps(x->scale[t]));
        sum[t][0] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), of_both, sum[t][0]);
    }
}

#endif
