/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Digits of TQ1_0 on aarch64: bytes times powers of 3 bring each digit to the top in turn, where two comparisons tell it: a fraction below
 * 86 of 256 is -1, one of 171 and above 1.
 */
#ifndef MICRO_FORMATS_TQ1_0_DIGITS_NEON_H
#define MICRO_FORMATS_TQ1_0_DIGITS_NEON_H

#include <arm_neon.h>
#include <string.h>

#include "micro/frames/rows.h"

/** Where a block has what follows 32 bytes, and of which columns. */
enum { SIXTEEN = 32, FOUR = 48, SCALE = 52, SIXTEEN_COLUMN = 160, FOUR_COLUMN = 240 };

/** That bring digit n to the top. */
static const uint8_t digit_powers[] = {1, 3, 9, 27, 81};

/** First digits of fractions. */
ROWS_INLINE int8x16_t digits(uint8x16_t fractions)
{
    uint8x16_t least = vcgeq_u8(vdupq_n_u8(85), fractions), most = vcgeq_u8(fractions, vdupq_n_u8(171));
    return vreinterpretq_s8_u8(vsubq_u8(least, most));
}

/** Four bytes, of which each lane of four has another digit at the top. */
ROWS_INLINE uint8x16_t fractions_of_four(const uint8_t *four)
{
    const uint8x16_t powers = {1, 1, 1, 1, 3, 3, 3, 3, 9, 9, 9, 9, 27, 27, 27, 27};
    uint32_t word;
    memcpy(&word, four, sizeof word);
    return vmulq_u8(vreinterpretq_u8_u32(vdupq_n_u32(word)), powers);
}

#endif
