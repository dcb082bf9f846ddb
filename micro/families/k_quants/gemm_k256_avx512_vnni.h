/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tile of gemm_blocks.h for blocks of 256 columns with 512-bit registers: 32 rows by six tokens. Codes are unpacked to
 * bytes as rows are interleaved, once for all tokens; 4096 bytes of a panel are followed by
 *
 *   minima of the groups of 16 columns, two to a lane as words: 8 registers (GEMM_HAS_MINIMA), which vpdpwssd multiplies
 *   with sums of activations
 *   scales, and scales of the minima (GEMM_HAS_MINIMA), as floats
 *
 * A block, a token and 16 rows are 64 vpdpbusd, a conversion, a product of scales and a multiply-add; the minima take
 * another 8 and the same again. The including .c defines GEMM_HAS_MINIMA as 0 or 1, and GEMM_OFFSET: what each code is more
 * than its weight.
 */
#ifndef MICRO_FAMILIES_K_QUANTS_GEMM_K256_AVX512_VNNI_H
#define MICRO_FAMILIES_K_QUANTS_GEMM_K256_AVX512_VNNI_H

#include <immintrin.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/frames/rows.h"
#include "micro/isa/gemm_interleave_avx512.h"

#define GEMM_TOKENS      6
#define GEMM_VECTORS     2
#define gemm_floats      __m512
#define GEMM_COLUMNS     256
#define GEMM_MINIMA      4096
#define GEMM_SCALES      (GEMM_MINIMA + 512 * GEMM_HAS_MINIMA)
#define GEMM_PANEL_BYTES (GEMM_SCALES + 64 + 64 * GEMM_HAS_MINIMA)
#define GEMM_PANEL_LEAD  0

/** 256 columns of a group of tokens. */
struct gemm_operand {
    int8_t q[GEMM_TOKENS][256];
    int16_t sums[GEMM_TOKENS][16]; /* of 16 columns each */
    int32_t offset[GEMM_TOKENS];   /* -GEMM_OFFSET times the sum of q */
    float scale[GEMM_TOKENS];
};

/** 32 bits in all lanes. */
ROWS_INLINE __m512i gemm_broadcast(const void *at)
{
    int32_t bits;
    memcpy(&bits, at, sizeof bits);
    return _mm512_set1_epi32(bits);
}

ROWS_INLINE void gemm_scaled(gemm_floats (*sum)[GEMM_VECTORS], __m512i (*whole)[GEMM_VECTORS],
                             const uint8_t *const *panel, size_t scales, const struct gemm_operand *x, int sign,
                             int vectors, int tokens)
{
    __m512 scale[GEMM_VECTORS];
#pragma GCC unroll 2
    for (int v = 0; v < vectors; v++)
        scale[v] = _mm512_load_ps(panel[v] + scales);
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
        __m512 of_token = _mm512_set1_ps(x->scale[t]);
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            __m512 both = _mm512_mul_ps(scale[v], of_token), y = _mm512_cvtepi32_ps(whole[t][v]);
            sum[t][v] = sign < 0 ? _mm512_fnmadd_ps(y, both, sum[t][v]) : _mm512_fmadd_ps(y, both, sum[t][v]);
        }
    }
}

ROWS_INLINE void gemm_block(gemm_floats (*sum)[GEMM_VECTORS], const uint8_t *const *panel, size_t half,
                            const struct gemm_operand *x, int vectors, int tokens)
{
    (void)half;
    __m512i whole[GEMM_TOKENS][GEMM_VECTORS];
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            whole[t][v] = GEMM_OFFSET ? gemm_broadcast(&x->offset[t]) : _mm512_setzero_si512();
    }
#pragma GCC unroll 1
    for (size_t column = 0; column < GEMM_COLUMNS; column += 4) {
        __m512i codes[GEMM_VECTORS];
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            codes[v] = _mm512_load_si512(panel[v] + 16 * column);
#pragma GCC unroll 8
        for (int t = 0; t < tokens; t++) {
            __m512i a = gemm_broadcast(x->q[t] + column);
            ROWS_IN_REGISTER(a);
#pragma GCC unroll 2
            for (int v = 0; v < vectors; v++) {
                whole[t][v] = _mm512_dpbusd_epi32(whole[t][v], codes[v], a);
                ROWS_IN_REGISTER(whole[t][v]); /* or it is copied from register to register in each turn */
            }
        }
    }
    gemm_scaled(sum, whole, panel, GEMM_SCALES, x, 1, vectors, tokens);
    if (!GEMM_HAS_MINIMA)
        return;
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            whole[t][v] = _mm512_setzero_si512();
    }
#pragma GCC unroll 1
    for (size_t pair = 0; pair < 8; pair++) {
        __m512i minima[GEMM_VECTORS];
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            minima[v] = _mm512_load_si512(panel[v] + GEMM_MINIMA + 64 * pair);
#pragma GCC unroll 8
        for (int t = 0; t < tokens; t++) {
            __m512i a = gemm_broadcast(&x->sums[t][2 * pair]);
            ROWS_IN_REGISTER(a);
#pragma GCC unroll 2
            for (int v = 0; v < vectors; v++) {
                whole[t][v] = _mm512_dpwssd_epi32(whole[t][v], minima[v], a);
                ROWS_IN_REGISTER(whole[t][v]);
            }
        }
    }
    gemm_scaled(sum, whole, panel, GEMM_SCALES + 64, x, -1, vectors, tokens);
}

static void gemm_put_operand(const float *x, struct gemm_operand *to, size_t token)
{
    struct q8_256 q8;
    q8_256_make(x, GEMM_COLUMNS, &q8);
    memcpy(to->q[token], q8.q, sizeof q8.q);
    memcpy(to->sums[token], q8.sums, sizeof q8.sums);
    to->offset[token] = -GEMM_OFFSET * q8.sum;
    to->scale[token] = q8.scale;
}

/** Sixteen halves as floats. */
ROWS_INLINE void gemm_put_scales(const uint8_t *rows, size_t stride, size_t count, uint8_t *to)
{
    _Alignas(32) uint8_t halves[32];
    gemm_gather_halves(rows, stride, count, halves);
    _mm512_store_ps(to, _mm512_cvtph_ps(_mm256_load_si256((const __m256i *)(const void *)halves)));
}

#endif
