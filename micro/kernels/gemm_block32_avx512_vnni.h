/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A tile of 16 interleaved rows of blocks of 32 with 512-bit registers: two panels by GEMM_TOKENS tokens. Of a block and a token 16 rows
 * take 8 vpdpbusd and a conversion, a product of scales and a multiply-add; what makes codes weights is where the integer sum begins. The
 * caller says GEMM_BLOCK_BYTES, GEMM_LINES, GEMM_OFFSET, and behind it unpacks a line:
 *
 *   ROWS_INLINE __m512i gemm_low(__m512i line)    unsigned codes of its first four columns
 *   ROWS_INLINE __m512i gemm_high(__m512i line)   of the four that are 16 columns on; not of 8 lines
 */
#ifndef MICRO_KERNELS_GEMM_BLOCK32_AVX512_VNNI_H
#define MICRO_KERNELS_GEMM_BLOCK32_AVX512_VNNI_H

#include <immintrin.h>
#include <math.h>
#include <string.h>

#include "micro/kernels/q8_avx2.h"
#include "micro/kernels/rows.h"

#define GEMM_TOKENS  6
#define GEMM_VECTORS 2
#define gemm_floats  __m512
#include "micro/kernels/gemm_block32_operand.h"

ROWS_INLINE __m512i gemm_low(__m512i line);
#if GEMM_LINES == 4
ROWS_INLINE __m512i gemm_high(__m512i line);
#else
#define gemm_high(line) (line) /* not looked at */
#endif

/** Four activations in all lanes. */
ROWS_INLINE __m512i gemm_broadcast(const int8_t *four)
{
    int32_t bits;
    memcpy(&bits, four, sizeof bits);
    return _mm512_set1_epi32(bits);
}

ROWS_INLINE void gemm_multiply(__m512i (*sum)[2], const __m512i *codes, const struct gemm_operand *x, int column,
                               int vectors, int tokens)
{
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
        __m512i a = gemm_broadcast(x->q[t] + column);
        ROWS_IN_REGISTER(a);
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            sum[t][v] = _mm512_dpbusd_epi32(sum[t][v], codes[v], a);
    }
}

ROWS_INLINE void gemm_block(__m512 (*sum)[2], const uint8_t *const *panel, size_t half, const struct gemm_operand *x,
                            int vectors, int tokens)
{
    (void)half;
    __m512i whole[GEMM_TOKENS][2];
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            whole[t][v] = _mm512_set1_epi32(x->offset[t]);
    }
#pragma GCC unroll 8
    for (int c = 0; c < GEMM_LINES; c++) {
        __m512i low[2], high[2];
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            __m512i line = _mm512_loadu_si512(panel[v] + 32 + 64 * c);
            low[v] = gemm_low(line);
            if (GEMM_LINES == 4)
                high[v] = gemm_high(line);
        }
        gemm_multiply(whole, low, x, 4 * c, vectors, tokens);
        if (GEMM_LINES == 4)
            gemm_multiply(whole, high, x, 16 + 4 * c, vectors, tokens);
    }
    __m512 scale[2];
#pragma GCC unroll 2
    for (int v = 0; v < vectors; v++)
        scale[v] = _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)panel[v]));
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
        __m512 of_token = _mm512_set1_ps(x->scale[t]);
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            sum[t][v] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole[t][v]), _mm512_mul_ps(scale[v], of_token), sum[t][v]);
    }
}

#endif
