/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A tile of 16 interleaved rows of blocks of 32 with 256-bit registers: half a panel by four tokens. The including .c includes a
 * products_*.h, says GEMM_BLOCK_BYTES and GEMM_LINES, CODE_OFFSET and, of 2 or 4 lines nibble_codes() or of 8 byte_codes(), which
 * make what is multiplied, then includes this.
 */
#ifndef MICRO_FAMILIES_BLOCK32_GEMM_BLOCK32_256_H
#define MICRO_FAMILIES_BLOCK32_GEMM_BLOCK32_256_H

#include <immintrin.h>
#include <stdbool.h>

#include "micro/frames/rows.h"

#define GEMM_TOKENS  4
#define GEMM_VECTORS 1
#define gemm_floats  __m256
#if GEMM_LINES > 8
#define GEMM_UNROLL_LINES _Pragma("GCC unroll 4")
#else
#define GEMM_UNROLL_LINES _Pragma("GCC unroll 8")
#endif
#include "micro/families/block32/gemm_block32_operand.h"

#if GEMM_SCALES_ARE_HALVES
ROWS_INLINE __m256 gemm_scale(const uint8_t *halves)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)halves));
}
#endif

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
        sums[t] = products_add(sums[t], codes, gemm_broadcast(x->q[t] + column));
        ROWS_IN_REGISTER(sums[t]); /* or sums are made of all products at last, which no registers hold */
    }
}

/** A line: four columns, and in nibbles the four that are half a group's columns on. */
ROWS_INLINE void gemm_line(__m256i *sums, __m256i line, const struct gemm_operand *x, int column, int tokens)
{
#if GEMM_ARE_NIBBLES
    gemm_multiply(sums, nibble_codes(line), x, column, tokens);
    gemm_multiply(sums, nibble_codes(_mm256_srli_epi16(line, 4)), x, column + GEMM_GROUP_COLUMNS / 2, tokens);
#else
    gemm_multiply(sums, byte_codes(line), x, column, tokens);
#endif
}

/** Eight rows' columns that share scales. */
ROWS_INLINE void gemm_group(__m256 (*sum)[1], const uint8_t *scales, const uint8_t *codes, const struct gemm_operand *x,
                            int group, int tokens)
{
    __m256i sums[GEMM_TOKENS];
#pragma GCC unroll 4
    for (int t = 0; t < tokens; t++)
        sums[t] = products_begin(_mm256_set1_epi32(x->offset[group][t]));
    GEMM_UNROLL_LINES
    for (int c = 0; c < GEMM_LINES; c++) {
        __m256i line = _mm256_loadu_si256((const __m256i *)(const void *)(codes + 64 * c));
        ROWS_IN_REGISTER(line);
        gemm_line(sums, line, x, GEMM_GROUP_COLUMNS * group + 4 * c, tokens);
    }
    __m256 scale = gemm_scale(scales);
#pragma GCC unroll 4
    for (int t = 0; t < tokens; t++) {
        __m256 of_both = _mm256_mul_ps(scale, _mm256_set1_ps(x->scale[t]));
        __m256i whole = products_end(sums[t], _mm256_set1_epi32(x->offset[group][t]));
        sum[t][0] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), of_both, sum[t][0]);
    }
}

ROWS_INLINE void gemm_block(__m256 (*sum)[1], const uint8_t *const *panel, size_t half, const struct gemm_operand *x,
                            int vectors, int tokens)
{
    (void)vectors;
    const uint8_t *scales = panel[0] + 8 * GEMM_SCALE_BYTES * half, *codes = panel[0] + GEMM_CODES + 32 * half;
#pragma GCC unroll 4
    for (int group = 0; group < GEMM_GROUPS; group++)
        gemm_group(sum, scales + 16 * GEMM_SCALE_BYTES * group, codes + 64 * GEMM_LINES * group, x, group, tokens);
}

#include "micro/families/blocks/gemm_q8.h"
#include "micro/frames/gemm_blocks.h"

#endif
