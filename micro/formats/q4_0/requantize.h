/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What amx_requantized_codes.h requires of Q4_0: a run is eight blocks.
 */
#ifndef MICRO_FORMATS_Q4_0_REQUANTIZE_H
#define MICRO_FORMATS_Q4_0_REQUANTIZE_H

#define CODE_OFFSET 8
#define CODES_MOST  8
#define RUN_PACKED  (8 * BLOCK_BYTES)
#include "micro/families/amx/amx_requantized_codes.h"

static const uint8_t *block_of(const uint8_t *run, size_t column)
{
    return run + column / BLOCK_COLUMNS * BLOCK_BYTES;
}

CODES_INLINE void codes_of(const uint8_t *run, __m512i *codes)
{
    const __m512i shifts = _mm512_setr_epi64(0, 0, 4, 4, 0, 0, 4, 4);
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        const __m128i first = _mm_loadu_si128((const void *)(block_of(run, 64 * i) + BLOCK_CODES));
        const __m128i second = _mm_loadu_si128((const void *)(block_of(run, 64 * i + 32) + BLOCK_CODES));
        const __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_broadcastsi128_si256(first)),
                                                _mm256_broadcastsi128_si256(second), 1);
        codes[i] = _mm512_and_si512(_mm512_srlv_epi64(both, shifts), _mm512_set1_epi8(15));
    }
}

CODES_INLINE void steps_of(const uint8_t *run, __m512 *step, __m512 *minimum)
{
    const __m512i twice = _mm512_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6, 1, 3, 5, 7, 1, 3, 5, 7);
    uint16_t scales[8];
#pragma GCC unroll 8
    for (size_t i = 0; i < 8; i++)
        memcpy(&scales[i], block_of(run, 32 * i), sizeof scales[i]);
    const __m256 steps = _mm256_cvtph_ps(_mm_loadu_si128((const void *)scales));
    *step = _mm512_permutexvar_ps(twice, _mm512_castps256_ps512(steps));
    *minimum = _mm512_mul_ps(*step, _mm512_set1_ps(CODE_OFFSET));
}

static uint32_t code_at(const uint8_t *run, size_t column)
{
    return (unsigned)block_of(run, column)[BLOCK_CODES + column % 16] >> column / 16 % 2 * 4 & 15u;
}

static float step_at(const uint8_t *run, size_t column)
{
    return half_float_at(block_of(run, column));
}

static float minimum_at(const uint8_t *run, size_t column)
{
    return step_at(run, column) * CODE_OFFSET;
}

#endif
