/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What amx_requantized_codes.h requires of Q4_K and Q5_K.
 */
#ifndef MICRO_FAMILIES_K_QUANTS_K_QUANT_REQUANTIZE_H
#define MICRO_FAMILIES_K_QUANTS_K_QUANT_REQUANTIZE_H

#define CODE_OFFSET 0
#define CODES_MOST  ((1 << K_QUANT_BITS) - 1)
#include "micro/families/amx/amx_requantized_codes.h"
#include "micro/families/k_quants/k_quant_scales.h"

CODES_INLINE void codes_of(const uint8_t *block, __m512i *codes)
{
#if K_QUANT_BITS == 5
    const __m512i high = codes_twice(block + BLOCK_HIGH);
#endif
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        const __m512i both = codes_twice(block + BLOCK_CODES + 32 * i),
                      shifts = _mm512_setr_epi64(0, 0, 0, 0, 4, 4, 4, 4);
        codes[i] = _mm512_and_si512(_mm512_srlv_epi64(both, shifts), _mm512_set1_epi8(15));
#if K_QUANT_BITS == 5
        codes[i] = codes_with(codes[i], high, CODES_FIELD(2 * i - 4, 2 * i - 3), 16);
#endif
    }
}

/** 6 bits of eight groups of 32 columns, as k_quant_scales.h draws them, to lanes. */
CODES_INLINE __m512i eight_groups(uint32_t low, uint32_t high)
{
    const __m128i twice = _mm_setr_epi8(0, 2, 4, 6, 0, 2, 4, 6, 1, 3, 5, 7, 1, 3, 5, 7);
    const uint64_t bytes = low | (uint64_t)high << 32;
    return _mm512_cvtepu8_epi32(_mm_shuffle_epi8(_mm_cvtsi64_si128((long long)bytes), twice));
}

CODES_INLINE void steps_of(const uint8_t *block, __m512 *step, __m512 *minimum)
{
    const uint32_t six = 0x3f3f3f3f, four = 0x0f0f0f0f, upper = 0x30303030;
    uint32_t at[3];
    memcpy(at, block + 4, sizeof at);
    const __m512i steps = eight_groups(at[0] & six, (at[2] & four) | (at[0] >> 2 & upper));
    const __m512i minima = eight_groups(at[1] & six, (at[2] >> 4 & four) | (at[1] >> 2 & upper));
    *step = _mm512_mul_ps(codes_half(block), _mm512_cvtepi32_ps(steps));
    *minimum = _mm512_mul_ps(codes_half(block + K_QUANT_DMIN), _mm512_cvtepi32_ps(minima));
}

static uint32_t code_at(const uint8_t *block, size_t column)
{
    uint32_t code = (unsigned)block[BLOCK_CODES + column / 64 * 32 + column % 32] >> column / 32 % 2 * 4 & 15u;
#if K_QUANT_BITS == 5
    code |= ((unsigned)block[BLOCK_HIGH + column % 32] >> column / 32 & 1u) << 4;
#endif
    return code;
}

static float step_at(const uint8_t *block, size_t column)
{
    return half_float_at(block) * (float)k_quant_scale(block, 0, (uint32_t)column / K_QUANT_GROUP);
}

static float minimum_at(const uint8_t *block, size_t column)
{
    return half_float_at(block + K_QUANT_DMIN) * (float)k_quant_minimum(block, 0, (uint32_t)column / K_QUANT_GROUP);
}

#endif
