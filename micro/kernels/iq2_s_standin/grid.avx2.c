/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side. The numbers of four vectors of eight are put together in a register and loaded from the grid, 8 KB that the
 * first-level cache holds, one by one: with gathers of four it takes 1.2 times as long on Zen 5. The activations take the signs, a mask from one bit a
 * weight. A product of magnitudes reaches 2 x 43 x 127, a word. Look-ups in memory are what [arm-kernels-codebooks, 6.4] holds against such
 * formats: four of eight bytes for 32 weights, where a codebook in a register takes one shuffle.
 */
#include "micro/kernels/blocks_avx2.h"
#include "micro/kernels/iq2_s_standin/rows.h"

ROWS_INLINE int32_t four_bytes(const uint8_t *at)
{
    int32_t bits;
    memcpy(&bits, at, sizeof bits);
    return bits;
}

/** The vectors of two 32-bit numbers. */
ROWS_INLINE __m128i two_vectors(uint64_t numbers)
{
    __m128d first = _mm_load_sd((const double *)(const void *)&iq2_s_grid[(uint32_t)numbers]);
    return _mm_castpd_si128(_mm_loadh_pd(first, (const double *)(const void *)&iq2_s_grid[numbers >> 32]));
}

/** Magnitudes of 32 columns. */
ROWS_INLINE __m256i magnitudes(const uint8_t *weights, int i)
{
    __m128i lower = _mm_cvtepu8_epi32(_mm_cvtsi32_si128(four_bytes(weights + INDICES + 4 * i)));
    __m128i upper = _mm_sllv_epi32(_mm_set1_epi32(weights[UPPER + i]), _mm_setr_epi32(8, 6, 4, 2));
    __m128i number = _mm_or_si128(lower, _mm_and_si128(upper, _mm_set1_epi32(0x300)));
    uint64_t first = (uint64_t)_mm_cvtsi128_si64(number), second = (uint64_t)_mm_extract_epi64(number, 1);
    return _mm256_setr_m128i(two_vectors(first), two_vectors(second));
}

/** 32 activations with the signs of the weights. */
ROWS_INLINE __m256i with_signs(const uint8_t *weights, int i, const int8_t *a)
{
    const __m256i byte_of = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201u);
    __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(four_bytes(weights + SIGNS + 4 * i)), byte_of);
    __m256i negative = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit);
    return _mm256_sub_epi8(_mm256_xor_si256(block_load(a + 32 * i), negative), negative);
}

/** Words: twice the scale and 1, of the first 16 columns in the lower half, of the others in the upper one. */
ROWS_INLINE __m256i spread(__m256i scales, int i)
{
    return _mm256_shuffle_epi8(scales, _mm256_setr_m128i(_mm_set1_epi16((int16_t)(0x8000 | 2 * i)),
                                                         _mm_set1_epi16((int16_t)(0x8000 | (2 * i + 1)))));
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q8_256 *a)
{
    __m256i scales = _mm256_broadcastsi128_si256(group_scales(weights));
    __m256i whole = _mm256_setzero_si256();
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        __m256i words = _mm256_maddubs_epi16(magnitudes(weights, i), with_signs(weights, i, a->q));
        whole = _mm256_add_epi32(whole, _mm256_madd_epi16(words, spread(scales, i)));
    }
    __m256 scale = _mm256_mul_ps(block_scale(weights), _mm256_set1_ps(a->scale * 0.125f));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), scale, sum);
}

#include "micro/kernels/block_rows.h"

const struct kernel SELF = IQ2_S_KERNEL(128);
