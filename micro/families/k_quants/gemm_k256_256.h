/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tile of gemm_blocks.h for blocks of 256 columns with 256-bit registers: 8 rows by four tokens, of panels as
 * gemm_k256_avx512_vnni.h draws them, with minima. The including file defines
 *
 *   ROWS_INLINE void gemm_pair(__m256i *sums, const __m256i *codes, const __m256i *a)       adds twice four columns of codes of at most 45
 *                                                                                         to one of two sums, or each to its own
 *   ROWS_INLINE __m256i gemm_words(__m256i whole, __m256i minima, __m256i sums)            adds two groups
 */
#ifndef MICRO_FAMILIES_K_QUANTS_GEMM_K256_256_H
#define MICRO_FAMILIES_K_QUANTS_GEMM_K256_256_H

#include <immintrin.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/frames/rows.h"

#define GEMM_TOKENS      4
#define GEMM_VECTORS     1
#define gemm_floats      __m256
#define GEMM_COLUMNS     256
#define GEMM_MINIMA      4096
#define GEMM_SCALES      (GEMM_MINIMA + 512)
#define GEMM_PANEL_BYTES (GEMM_SCALES + 128)
#define GEMM_PANEL_LEAD  0

/** 256 columns of a group of tokens. */
struct gemm_operand {
    int8_t q[GEMM_TOKENS][256];
    int16_t sums[GEMM_TOKENS][16]; /* of 16 columns each */
    float scale[GEMM_TOKENS];
};

ROWS_INLINE void gemm_pair(__m256i *sums, const __m256i *codes, const __m256i *a);
ROWS_INLINE __m256i gemm_words(__m256i whole, __m256i minima, __m256i sums);

/** 32 bits in all lanes. */
ROWS_INLINE __m256i gemm_broadcast(const void *at)
{
    int32_t bits;
    memcpy(&bits, at, sizeof bits);
    return _mm256_set1_epi32(bits);
}

ROWS_INLINE __m256i gemm_load(const uint8_t *at)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)at);
}

ROWS_INLINE void gemm_scaled(__m256 (*sum)[1], const __m256i *whole, const uint8_t *scales,
                             const struct gemm_operand *x, float sign, int tokens)
{
    __m256 scale = _mm256_loadu_ps((const float *)(const void *)scales);
#pragma GCC unroll 4
    for (int t = 0; t < tokens; t++) {
        __m256 both = _mm256_mul_ps(scale, _mm256_set1_ps(sign * x->scale[t]));
        sum[t][0] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole[t]), both, sum[t][0]);
    }
}

ROWS_INLINE void gemm_block(__m256 (*sum)[1], const uint8_t *const *panel, size_t half, const struct gemm_operand *x,
                            int vectors, int tokens)
{
    (void)vectors;
    const uint8_t *at = panel[0] + 32 * half;
    __m256i whole[GEMM_TOKENS], parts[GEMM_TOKENS][2];
#pragma GCC unroll 4
    for (int t = 0; t < tokens; t++)
        parts[t][0] = parts[t][1] = _mm256_setzero_si256();
#pragma GCC unroll 1
    for (size_t column = 0; column < GEMM_COLUMNS; column += 8) {
        __m256i codes[2] = {gemm_load(at + 16 * column), gemm_load(at + 16 * column + 64)};
        ROWS_IN_REGISTER(codes[0]);
        ROWS_IN_REGISTER(codes[1]);
#pragma GCC unroll 4
        for (int t = 0; t < tokens; t++) {
            const __m256i a[2] = {gemm_broadcast(x->q[t] + column), gemm_broadcast(x->q[t] + column + 4)};
            gemm_pair(parts[t], codes, a);
            ROWS_IN_REGISTER(parts[t][0]); /* or it is copied from register to register in each turn */
            ROWS_IN_REGISTER(parts[t][1]);
        }
    }
#pragma GCC unroll 4
    for (int t = 0; t < tokens; t++)
        whole[t] = _mm256_add_epi32(parts[t][0], parts[t][1]);
    gemm_scaled(sum, whole, at + GEMM_SCALES, x, 1, tokens);
#pragma GCC unroll 4
    for (int t = 0; t < tokens; t++)
        whole[t] = _mm256_setzero_si256();
#pragma GCC unroll 1
    for (size_t pair = 0; pair < 8; pair++) {
        __m256i minima = gemm_load(at + GEMM_MINIMA + 64 * pair);
        ROWS_IN_REGISTER(minima);
#pragma GCC unroll 4
        for (int t = 0; t < tokens; t++) {
            whole[t] = gemm_words(whole[t], minima, gemm_broadcast(&x->sums[t][2 * pair]));
            ROWS_IN_REGISTER(whole[t]);
        }
    }
    gemm_scaled(sum, whole, at + GEMM_SCALES + 64, x, -1, tokens);
}

static void gemm_put_operand(const float *x, struct gemm_operand *to, size_t token)
{
    struct q8_256 q8;
    q8_256_make(x, GEMM_COLUMNS, &q8);
    memcpy(to->q[token], q8.q, sizeof q8.q);
    memcpy(to->sums[token], q8.sums, sizeof q8.sums);
    to->scale[token] = q8.scale;
}

#endif
