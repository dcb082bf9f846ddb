/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm_mixed24.h by vpmaddubsw: 16 rows by three tokens. The products of four columns each are at most 6 by 127, or 30 by 127, twice: those of 16 are added in words, which
 * vpmaddwd multiplies with the row's scale as it widens them, so that only what all rows have in common is left to scale: scale2 times the
 * token's. Each word begins at what makes its own columns' codes weights, and so ends in 16 bits whatever it passes.
 */
#include "micro/families/mixed24/gemm_mixed24_256.h"

#define GEMM_SCALE_BYTES 128 /* words, two a row, and scale2 */

struct gemm_start {
    int16_t words[2];
};

ROWS_INLINE struct gemm_start gemm_start_of(const int8_t *q, int32_t offset)
{
    int32_t sums[2] = {0};
    for (size_t i = 0; i < 16; i++)
        sums[i / 2 % 2] += q[i];
    return (struct gemm_start){{(int16_t)(-offset * sums[0]), (int16_t)(-offset * sums[1])}};
}

ROWS_INLINE void gemm_put_scales(uint8_t *to, gemm_lanes scale, float scale2)
{
    scale = (scale & 0xffff) | scale << 16;
    memcpy(to, &scale, sizeof scale);
    memcpy(to + 64, &scale2, sizeof scale2);
}

#include "micro/families/mixed24/gemm_mixed24.h"

ROWS_INLINE __m256i gemm_broadcast(const void *at)
{
    int32_t bits;
    memcpy(&bits, at, sizeof bits);
    return _mm256_set1_epi32(bits);
}

/** The words of a group, and scale2 times each token's scale in `both`. */
ROWS_INLINE void gemm_group(__m256 (*sum)[2], const uint8_t *panel, size_t group, const struct gemm_operand *x,
                            int vectors, int tokens)
{
    const uint8_t *at = panel + 256 * group, *scales = panel + GEMM_SCALES + GEMM_SCALE_BYTES * group;
    float both[4], scale2;
    __m256i words[GEMM_TOKENS][2];
    memcpy(&scale2, scales + 64, sizeof scale2);
    _mm_storeu_ps(both, _mm_mul_ps(_mm_loadu_ps(x->scale), _mm_set1_ps(scale2)));
#pragma GCC unroll 4
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            words[t][v] = gemm_broadcast(&x->start[group][t]);
    }
#pragma GCC unroll 4
    for (size_t p = 0; p < 4; p++) {
        __m256i codes[2];
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            codes[v] = (__m256i)gemm_load(at + 64 * p + 32 * (size_t)v);
            ROWS_IN_REGISTER(codes[v]);
        }
#pragma GCC unroll 4
        for (int t = 0; t < tokens; t++) {
            __m256i a = gemm_broadcast(x->q[4 * group + p][t]);
            ROWS_IN_REGISTER(a);
#pragma GCC unroll 2
            for (int v = 0; v < vectors; v++) {
                words[t][v] = _mm256_add_epi16(words[t][v], _mm256_maddubs_epi16(codes[v], a));
                ROWS_IN_REGISTER(words[t][v]); /* or it is copied from register to register in each turn */
            }
        }
    }
#pragma GCC unroll 4
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            __m256i whole = _mm256_madd_epi16(words[t][v], (__m256i)gemm_load(scales + 32 * v));
            sum[t][v] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), _mm256_broadcast_ss(&both[t]), sum[t][v]);
        }
    }
}

ROWS_INLINE void gemm_block(__m256 (*sum)[2], const uint8_t *const *panel, size_t half, const struct gemm_operand *x,
                            int vectors, int tokens)
{
    (void)half; /* a tile is a panel */
#pragma GCC unroll 1
    for (size_t group = 0; group < 4; group++)
        gemm_group(sum, panel[0], group, x, vectors, tokens);
}
