/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Row after row: bytes times powers of 3 bring each digit to the top, and of a fraction and its half, added and halved, the upper two bits are the
 * digit, 0 to 2, as it is stored: ternary_reference_neon.h.
 */
#include "micro/families/blocks/ternary_reference_neon.h"
#include "micro/formats/tq1_0/digits_neon.h"

/** First digits of fractions times a power: floor(3 x / 256). */
ROWS_INLINE uint8x16_t digit(uint8x16_t fractions)
{
    return vshrq_n_u8(vhaddq_u8(fractions, vshrq_n_u8(fractions, 1)), 6);
}

ROWS_INLINE uint8x16_t digit_at(uint8x16_t fractions, size_t n)
{
    return digit(n == 0 ? fractions : vmulq_u8(fractions, vdupq_n_u8(digit_powers[n])));
}

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_256_packed *a)
{
    const uint8x16_t first = vld1q_u8(weights), second = vld1q_u8(weights + 16), few = vld1q_u8(weights + SIXTEEN);
    struct ternary_sums sums = ternary_zero();
#pragma GCC unroll 5
    for (size_t n = 0; n < 5; n++)
        sums = ternary_add(sums, digit_at(first, n), digit_at(second, n), a->q + 32 * n);
    const int8_t *q = a->q + SIXTEEN_COLUMN;
    sums = ternary_add(sums, digit_at(few, 0), digit_at(few, 1), q);
    sums = ternary_add(sums, digit_at(few, 2), digit_at(few, 3), q + 32);
    sums = ternary_add(sums, digit_at(few, 4), digit(fractions_of_four(weights + FOUR)), q + 64);
    return ternary_finish(sum, sums, weights + SCALE, a);
}

#include "micro/families/blocks/block_rows.h"

const struct kernel SELF = TERNARY_REFERENCE_KERNEL;

#include "micro/frames/gamma.h"
