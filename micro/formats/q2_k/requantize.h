/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What amx_requantized_codes.h requires of Q2_K.
 */
#ifndef MICRO_FORMATS_Q2_K_REQUANTIZE_H
#define MICRO_FORMATS_Q2_K_REQUANTIZE_H

#define CODE_OFFSET 0
#define CODES_MOST  3
#include "micro/families/amx/amx_requantized_codes.h"

CODES_INLINE void codes_of(const uint8_t *block, __m512i *codes)
{
    const __m512i field = _mm512_set1_epi8(3);
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
        const __m512i low = codes_twice(block + BLOCK_CODES + 32 * half);
        codes[2 * half] = _mm512_and_si512(_mm512_multishift_epi64_epi8(CODES_FIELD(0, 2), low), field);
        codes[2 * half + 1] = _mm512_and_si512(_mm512_multishift_epi64_epi8(CODES_FIELD(4, 6), low), field);
    }
}

CODES_INLINE void steps_of(const uint8_t *block, __m512 *step, __m512 *minimum)
{
    const __m512i both = _mm512_cvtepu8_epi32(codes_groups(_mm_loadu_si128((const void *)block)));
    const __m512i scales = _mm512_and_si512(both, _mm512_set1_epi32(15));
    *step = _mm512_mul_ps(codes_half(block + BLOCK_D), _mm512_cvtepi32_ps(scales));
    *minimum = _mm512_mul_ps(codes_half(block + BLOCK_DMIN), _mm512_cvtepi32_ps(_mm512_srli_epi32(both, 4)));
}

static uint32_t code_at(const uint8_t *block, size_t column)
{
    return (unsigned)block[BLOCK_CODES + column / 128 * 32 + column % 32] >> column % 128 / 32 * 2 & 3u;
}

static float step_at(const uint8_t *block, size_t column)
{
    return half_float_at(block + BLOCK_D) * (float)(block[column / 16] & 15);
}

static float minimum_at(const uint8_t *block, size_t column)
{
    return half_float_at(block + BLOCK_DMIN) * (float)(block[column / 16] >> 4);
}

#endif
