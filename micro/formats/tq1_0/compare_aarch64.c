/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side. Weights are made with their sign, digits_neon.h, so nothing is taken off at the end. By sdot, or without it smull, smlal2
 * and sadalp.
 */
#include "micro/families/blocks/blocks_neon.h"
#include "micro/formats/tq1_0/digits_neon.h"

#define BLOCK_ACTIVATIONS struct q8_256
#define BLOCK_VALUE       q8_256_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0

/** Five digits of 16 bytes, `apart` columns from one to the next. */
ROWS_INLINE int32x4_t add_five(int32x4_t sum, uint8x16_t fractions, const int8_t *a, size_t apart)
{
    sum = tile_dot(sum, digits(fractions), vld1q_s8(a));
#pragma GCC unroll 4
    for (size_t n = 1; n < 5; n++)
        sum = tile_dot(sum, digits(vmulq_u8(fractions, vdupq_n_u8(digit_powers[n]))), vld1q_s8(a + n * apart));
    return sum;
}

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_256 *a)
{
    const int8_t *q = a->q;
    ROWS_READ_AGAIN(q);
    int32x4_t whole = add_five(vdupq_n_s32(0), vld1q_u8(weights), q, 32);
    whole = add_five(whole, vld1q_u8(weights + 16), q + 16, 32);
    whole = add_five(whole, vld1q_u8(weights + SIXTEEN), q + SIXTEEN_COLUMN, 16);
    whole = tile_dot(whole, digits(fractions_of_four(weights + FOUR)), vld1q_s8(q + FOUR_COLUMN));
    return block_add_whole(sum, whole, weights + SCALE, a->scale);
}

#include "micro/families/blocks/block_rows.h"
#include "micro/formats/tq1_0/kernel_aarch64.h"

#include "micro/frames/gamma.h"
