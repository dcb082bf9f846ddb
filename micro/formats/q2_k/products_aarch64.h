/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of bytes up to 15 on aarch64, codes and minima of Q2_K, of each row to a word: with sdot; without it those of columns that share
 * a lane are added in 16 bits, which holds 16 codes' and 16 minima's, and neighbours after them. A sum is of 16 columns.
 */
#ifndef MICRO_FORMATS_Q2_K_PRODUCTS_AARCH64_H
#define MICRO_FORMATS_Q2_K_PRODUCTS_AARCH64_H

#include "micro/isa/quads_aarch64.h"
#include "micro/isa/registers_aarch64.h"

#ifdef __ARM_FEATURE_SVE
typedef svint8_t small_bytes __attribute__((arm_sve_vector_bits(256)));
typedef tile_ints small_sums;

/** Four bytes, in every place. */
ROWS_INLINE small_bytes four_of(const int8_t *at)
{
    int32_t four;
    memcpy(&four, at, sizeof four);
    return svreinterpret_s8_s32(svdup_n_s32(four));
}

/** Scale of group 4 m + byte. */
ROWS_INLINE tile_ints scales_of(tile_bytes words, int byte)
{
    tile_bytes at = words;
    if (byte)
        at = svreinterpret_u8_u32(svlsr_n_u32_x(TILE_ALL, svreinterpret_u32_u8(words), 8 * (unsigned)byte));
    return svand_n_s32_x(TILE_ALL, svreinterpret_s32_u8(at), 15);
}

ROWS_INLINE small_sums small_zero(void)
{
    return tile_zero();
}

/** Four columns of each row, times the same four of all. */
ROWS_INLINE small_sums small_add(small_sums sum, tile_bytes weights, small_bytes four)
{
    return svdot_s32(sum, svreinterpret_s8_u8(weights), four);
}

/** low + 128 high */
ROWS_INLINE tile_ints small_add_high(small_sums low, small_sums high)
{
    return svadd_s32_x(TILE_ALL, low, TILE_SHIFT_WORDS_UP(high, 7));
}

/** Field n of bytes. */
ROWS_INLINE tile_bytes small_crumb(tile_bytes bytes, int n)
{
    if (n)
        bytes = TILE_SHIFT_DOWN(bytes, (uint8_t)(2 * n));
    if (n < 3)
        bytes = tile_and(bytes, 3);
    return bytes;
}

#else
#define small_crumb quad_crumb

/** Four bytes, in every place. */
ROWS_INLINE int8x16_t four_of(const int8_t *at)
{
    return vreinterpretq_s8_s32(vld1q_dup_s32((const int32_t *)(const void *)at));
}

/** Scale of group 4 m + byte. */
ROWS_INLINE int32x4_t scales_of(uint8x16_t words, int byte)
{
    uint32x4_t at = vreinterpretq_u32_u8(words);
    at = byte == 0 ? at : byte == 1 ? vshrq_n_u32(at, 8) : byte == 2 ? vshrq_n_u32(at, 16) : vshrq_n_u32(at, 24);
    return vreinterpretq_s32_u32(vandq_u32(at, vdupq_n_u32(15)));
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

/** low + 128 high */
ROWS_INLINE int32x4_t small_add_high(small_sums low, small_sums high)
{
    return vaddq_s32(small_words(low), vshlq_n_s32(small_words(high), 7));
}
#endif

#ifdef __ARM_FEATURE_DOTPROD
ROWS_INLINE tile_ints small_dot_fours(const tile_bytes *w, const int8_t *a)
{
    return tile_dot_fours(tile_zero(), w, tile_load_sixteen(a));
}

/** Brings w[2 e + i], columns 8 e … 8 e + 7 of half the rows, into the order that small_dot_eights() needs. */
ROWS_INLINE void small_order_eights(tile_bytes *w)
{
    (void)w;
}

ROWS_INLINE tile_ints small_dot_eights(const tile_bytes *w, const int8_t *a)
{
    tile_ints sum[2] = {tile_zero(), tile_zero()};
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        sum[i % 2] = tile_dot_eights(sum[i % 2], w[i], a + 8 * (i / 2));
    return tile_add_neighbours(sum[0], sum[1]);
}
#endif

#endif
