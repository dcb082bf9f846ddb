/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What amx_requantized_codes.h requires of Q6_K.
 */
#ifndef MICRO_FORMATS_Q6_K_REQUANTIZE_H
#define MICRO_FORMATS_Q6_K_REQUANTIZE_H

#define CODE_OFFSET 32
#define CODES_MOST  32
#include "micro/families/amx/amx_requantized_codes.h"

CODES_INLINE void codes_of(const uint8_t *block, __m512i *codes)
{
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
        const __m512i low = _mm512_loadu_si512(block + 64 * half), high = codes_twice(block + BLOCK_HIGH + 32 * half);
        const __m512i nibble = _mm512_set1_epi8(15);
        codes[2 * half] = codes_with(_mm512_and_si512(low, nibble), high, CODES_FIELD(-4, -2), 0x30);
        codes[2 * half + 1] =
            codes_with(_mm512_and_si512(_mm512_srli_epi16(low, 4), nibble), high, CODES_FIELD(0, 2), 0x30);
    }
}

CODES_INLINE void steps_of(const uint8_t *block, __m512 *step, __m512 *minimum)
{
    const __m128i scales = codes_groups(_mm_loadu_si128((const void *)(block + BLOCK_SCALES)));
    *step = _mm512_mul_ps(codes_half(block + BLOCK_D), _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(scales)));
    *minimum = _mm512_mul_ps(*step, _mm512_set1_ps(CODE_OFFSET));
}

static uint32_t code_at(const uint8_t *block, size_t column)
{
    const size_t half = column / 128, in = column % 128;
    const uint32_t low = block[64 * half + in % 64] >> in / 64 * 4 & 15u;
    return low | (block[BLOCK_HIGH + 32 * half + in % 32] >> in / 32 * 2 & 3u) << 4;
}

static float step_at(const uint8_t *block, size_t column)
{
    return half_float_at(block + BLOCK_D) * (float)(int8_t)block[BLOCK_SCALES + column / 16];
}

static float minimum_at(const uint8_t *block, size_t column)
{
    return step_at(block, column) * CODE_OFFSET;
}

#endif
