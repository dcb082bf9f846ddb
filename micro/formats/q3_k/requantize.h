/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What amx_requantized_codes.h requires of Q3_K.
 */
#ifndef MICRO_FORMATS_Q3_K_REQUANTIZE_H
#define MICRO_FORMATS_Q3_K_REQUANTIZE_H

#define CODE_OFFSET 4
#define CODES_MOST  4
#include "micro/families/amx/amx_requantized_codes.h"
#include "micro/formats/q3_k/fields_256.h"

/** Bit number of the upper bits to bit 2, of 32 columns and of the next. */
#define Q3_K_UPPER(bit) CODES_FIELD((bit)-2, (bit)-1)

CODES_INLINE __m512i low_bits(__m512i low, __m512i field)
{
    return _mm512_and_si512(_mm512_multishift_epi64_epi8(field, low), _mm512_set1_epi8(3));
}

CODES_INLINE void codes_of(const uint8_t *block, __m512i *codes)
{
    const __m512i high = codes_twice(block), first = codes_twice(block + BLOCK_CODES),
                  second = codes_twice(block + BLOCK_CODES + 32);
    codes[0] = codes_with(low_bits(first, CODES_FIELD(0, 2)), high, Q3_K_UPPER(0), 4);
    codes[1] = codes_with(low_bits(first, CODES_FIELD(4, 6)), high, Q3_K_UPPER(2), 4);
    codes[2] = codes_with(low_bits(second, CODES_FIELD(0, 2)), high, Q3_K_UPPER(4), 4);
    codes[3] = codes_with(low_bits(second, CODES_FIELD(4, 6)), high, Q3_K_UPPER(6), 4);
}

CODES_INLINE void steps_of(const uint8_t *block, __m512 *step, __m512 *minimum)
{
    const __m128i scales = codes_groups(q3_k_scales(block));
    *step = _mm512_mul_ps(codes_half(block + BLOCK_D), _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(scales)));
    *minimum = _mm512_mul_ps(*step, _mm512_set1_ps(CODE_OFFSET));
}

static uint32_t code_at(const uint8_t *block, size_t column)
{
    const uint32_t low = (unsigned)block[BLOCK_CODES + column / 128 * 32 + column % 32] >> column % 128 / 32 * 2 & 3u;
    return low | ((unsigned)block[column % 32] >> column / 32 & 1u) << 2;
}

static float step_at(const uint8_t *block, size_t column)
{
    const size_t group = column / 16;
    const int32_t low = block[BLOCK_SCALES + group % 8] >> group / 8 * 4 & 15;
    const int32_t high = block[BLOCK_SCALES + 8 + group % 4] >> group / 4 * 2 & 3;
    return half_float_at(block + BLOCK_D) * (float)((high << 4 | low) - 32);
}

static float minimum_at(const uint8_t *block, size_t column)
{
    return step_at(block, column) * CODE_OFFSET;
}

#endif
