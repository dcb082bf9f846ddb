/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What kernels of block formats share: loads of unaligned bytes, a half-precision scale in all lanes, the sum of lanes.
 */
#ifndef MICRO_FAMILIES_BLOCKS_BLOCKS_AVX2_H
#define MICRO_FAMILIES_BLOCKS_BLOCKS_AVX2_H

#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/frames/rows.h"

/* sums of a row */
typedef __m256 block_floats;

ROWS_INLINE block_floats block_zero(void)
{
    return _mm256_setzero_ps();
}

/* 32 and 16 bytes at any address */
ROWS_INLINE __m256i block_load(const void *at)
{
    return _mm256_loadu_si256(at);
}

ROWS_INLINE __m128i block_load_half(const void *at)
{
    return _mm_loadu_si128(at);
}

/** The binary16 number at `at`, 8 times. */
ROWS_INLINE __m256 block_scale(const uint8_t *at)
{
    int16_t bits;
    memcpy(&bits, at, sizeof bits);
    return _mm256_cvtph_ps(_mm_set1_epi16(bits));
}

/** Pairs of words added to 32 bits. */
ROWS_INLINE __m256i block_widen(__m256i words)
{
    return _mm256_madd_epi16(words, _mm256_set1_epi16(1));
}

ROWS_INLINE float block_lanes_sum(__m256 lanes)
{
    __m128 half = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
    half = _mm_add_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
}

#endif
