/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of bytes up to 15 on aarch64, codes and minima of Q2_K, four rows to four words: with sdot; without it those of columns that share
 * a lane are added in 16 bits, which holds 16 codes' and 16 minima's, and neighbours after them. A sum is of 16 columns.
 */
#ifndef MICRO_KERNELS_Q2_K_PRODUCTS_NEON_H
#define MICRO_KERNELS_Q2_K_PRODUCTS_NEON_H

#include "micro/kernels/quads_aarch64.h"
#include "micro/kernels/registers_aarch64.h"

/** Four bytes, in every place. */
ROWS_INLINE int8x16_t four_of(const int8_t *at)
{
    return vreinterpretq_s8_s32(vld1q_dup_s32((const int32_t *)(const void *)at));
}

#ifdef __ARM_FEATURE_DOTPROD
typedef int32x4_t small_sums;

ROWS_INLINE small_sums small_zero(void)
{
    return vdupq_n_s32(0);
}

/** Four columns of each row, times the same four of all. */
ROWS_INLINE small_sums small_add(small_sums sum, uint8x16_t weights, int8x16_t four)
{
    return vdotq_s32(sum, vreinterpretq_s8_u8(weights), four);
}

ROWS_INLINE int32x4_t small_words(small_sums sum)
{
    return sum;
}

ROWS_INLINE int32x4_t small_dot_fours(const uint8x16_t *w, const int8_t *a)
{
    return tile_dot_fours(vdupq_n_s32(0), w, vld1q_s8(a));
}

/** Brings w[2 e + i], columns 8 e … 8 e + 7 of rows 2 i and 2 i + 1, into the order that small_dot_eights() wants. */
ROWS_INLINE void small_order_eights(uint8x16_t *w)
{
    (void)w;
}

ROWS_INLINE int32x4_t small_dot_eights(const uint8x16_t *w, const int8_t *a)
{
    int32x4_t sum[2] = {vdupq_n_s32(0), vdupq_n_s32(0)};
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        sum[i % 2] = tile_dot_eights(sum[i % 2], w[i], a + 8 * (i / 2));
    return tile_add_neighbours(sum[0], sum[1]);
}
#else
/** Rows 0 and 1, 2 and 3. */
typedef struct {
    int16x8_t of[2];
} small_sums;

ROWS_INLINE small_sums small_zero(void)
{
    return (small_sums){{vdupq_n_s16(0), vdupq_n_s16(0)}};
}

/** Four columns of each row, times the same four of all. */
ROWS_INLINE small_sums small_add(small_sums sum, uint8x16_t weights, int8x16_t four)
{
    int8x16_t w = vreinterpretq_s8_u8(weights);
    return (small_sums){{vmlal_s8(sum.of[0], vget_low_s8(w), vget_low_s8(four)), vmlal_high_s8(sum.of[1], w, four)}};
}

ROWS_INLINE int32x4_t small_words(small_sums sum)
{
    return vpaddlq_s16(vpaddq_s16(sum.of[0], sum.of[1]));
}

ROWS_INLINE int32x4_t small_dot_fours(const uint8x16_t *w, const int8_t *a)
{
    const int32x4_t words = vreinterpretq_s32_s8(vld1q_s8(a));
    int8x16_t first = vreinterpretq_s8_s32(vdupq_laneq_s32(words, 0));
    int8x16_t w0 = vreinterpretq_s8_u8(w[0]);
    small_sums sum = {{vmull_s8(vget_low_s8(w0), vget_low_s8(first)), vmull_high_s8(w0, first)}};
    sum = small_add(sum, w[1], vreinterpretq_s8_s32(vdupq_laneq_s32(words, 1)));
    sum = small_add(sum, w[2], vreinterpretq_s8_s32(vdupq_laneq_s32(words, 2)));
    return small_words(small_add(sum, w[3], vreinterpretq_s8_s32(vdupq_laneq_s32(words, 3))));
}

/** Of rows interleaved by eight bytes a register has eight columns of two rows; by four there are half as many sums. */
ROWS_INLINE void small_order_eights(uint8x16_t *w)
{
    quad_from_eights(w);
}

ROWS_INLINE int32x4_t small_dot_eights(const uint8x16_t *w, const int8_t *a)
{
    return small_dot_fours(w, a);
}
#endif

#endif
