/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A tile of 16 interleaved rows of blocks of 32 with 512-bit registers: two panels by GEMM_TOKENS tokens. Of a block and a token 16 rows
 * take 8 vpdpbusd and a conversion, a product of scales and a multiply-add; what makes codes weights is where the integer sum begins. The
 * including .c says GEMM_BLOCK_BYTES and GEMM_LINES, CODE_OFFSET and, of 2 or 4 lines nibble_codes() or of 8 byte_codes(), which
 * make the unsigned codes, then includes this.
 */
#ifndef MICRO_FAMILIES_BLOCK32_GEMM_BLOCK32_AVX512_VNNI_H
#define MICRO_FAMILIES_BLOCK32_GEMM_BLOCK32_AVX512_VNNI_H

#include <immintrin.h>
#include <math.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/frames/rows.h"

#define GEMM_TOKENS  6
#define GEMM_VECTORS 2
#define gemm_floats  __m512
#if GEMM_LINES > 8 /* a loop: its sums stay where they are */
#define GEMM_UNROLL_LINES _Pragma("GCC unroll 4")
#else
#define GEMM_UNROLL_LINES _Pragma("GCC unroll 8")
#endif
#include "micro/families/block32/gemm_block32_operand.h"

/** Of its first four columns, and in nibbles the four that are half a group's columns on. */
ROWS_INLINE void gemm_codes(__m512i line, __m512i *low, __m512i *high)
{
#if GEMM_ARE_NIBBLES
    *low = nibble_codes(line);
    *high = nibble_codes(_mm512_srli_epi16(line, 4));
#else
    *low = byte_codes(line);
    (void)high;
#endif
}

#if GEMM_SCALES_ARE_HALVES
ROWS_INLINE __m512 gemm_scale(const uint8_t *halves)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)halves));
}
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
        for (int v = 0; v < vectors; v++) {
            sum[t][v] = _mm512_dpbusd_epi32(sum[t][v], codes[v], a);
#if GEMM_LINES > 8
            ROWS_IN_REGISTER(sum[t][v]);
#endif
        }
    }
}

/** Columns that share scales. */
ROWS_INLINE void gemm_group(__m512 (*sum)[2], const uint8_t *const *panel, const struct gemm_operand *x, int group,
                            int vectors, int tokens)
{
    __m512i whole[GEMM_TOKENS][2];
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            whole[t][v] = _mm512_set1_epi32(x->offset[group][t]);
    }
    GEMM_UNROLL_LINES
    for (int c = 0; c < GEMM_LINES; c++) {
        const int column = GEMM_GROUP_COLUMNS * group + 4 * c;
        __m512i low[2], high[2];
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            gemm_codes(_mm512_loadu_si512(panel[v] + GEMM_CODES + 64 * (GEMM_LINES * group + c)), &low[v], &high[v]);
        gemm_multiply(whole, low, x, column, vectors, tokens);
        if (GEMM_ARE_NIBBLES)
            gemm_multiply(whole, high, x, column + GEMM_GROUP_COLUMNS / 2, vectors, tokens);
    }
    __m512 scale[2];
#pragma GCC unroll 2
    for (int v = 0; v < vectors; v++)
        scale[v] = gemm_scale(panel[v] + 16 * GEMM_SCALE_BYTES * group);
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
        __m512 of_token = _mm512_set1_ps(x->scale[t]);
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            sum[t][v] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole[t][v]), _mm512_mul_ps(scale[v], of_token), sum[t][v]);
    }
}

ROWS_INLINE void gemm_block(__m512 (*sum)[2], const uint8_t *const *panel, size_t half, const struct gemm_operand *x,
                            int vectors, int tokens)
{
    (void)half;
#pragma GCC unroll 4
    for (int group = 0; group < GEMM_GROUPS; group++)
        gemm_group(sum, panel, x, group, vectors, tokens);
}

#include "micro/families/blocks/gemm_q8.h"
#include "micro/frames/gemm_blocks.h"

#endif
