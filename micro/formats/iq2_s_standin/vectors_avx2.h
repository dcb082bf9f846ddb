/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers and signs of a block of iq2_s_standin with 256-bit vectors.
 */
#ifndef MICRO_FORMATS_IQ2_S_STANDIN_VECTORS_AVX2_H
#define MICRO_FORMATS_IQ2_S_STANDIN_VECTORS_AVX2_H

#include "micro/families/blocks/blocks_avx2.h"
#include "micro/formats/iq2_s_standin/vectors.h"

ROWS_INLINE int32_t four_bytes(const uint8_t *at)
{
    int32_t bits;
    memcpy(&bits, at, sizeof bits);
    return bits;
}

/** The numbers of vectors 16 half … of a block. */
ROWS_INLINE __m256i numbers(const uint8_t *weights, int half)
{
    const __m256i four = _mm256_setr_epi64x((int64_t)0x8000800080008000, (int64_t)0x8001800180018001,
                                            (int64_t)0x8002800280028002, (int64_t)0x8003800380038003);
    const __m256i shifted = _mm256_set1_epi64x(0x0004001000400100);
    __m256i lower = _mm256_cvtepu8_epi16(block_load_half(weights + BLOCK_INDICES + 16 * half));
    __m256i upper = _mm256_shuffle_epi8(_mm256_set1_epi32(four_bytes(weights + BLOCK_UPPER + 4 * half)), four);
    upper = _mm256_and_si256(_mm256_mullo_epi16(upper, shifted), _mm256_set1_epi16(0x300));
    return _mm256_or_si256(lower, upper);
}

/** -1 for each of 32 weights that is negative. */
ROWS_INLINE __m256i signs(const uint8_t *weights, int i)
{
    const __m256i byte_of = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201u);
    __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(four_bytes(weights + BLOCK_SIGNS + 4 * i)), byte_of);
    return _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit);
}

/** 32 activations with the signs of the weights. */
ROWS_INLINE __m256i with_signs(const uint8_t *weights, int i, const int8_t *a)
{
    __m256i negative = signs(weights, i);
    return _mm256_sub_epi8(_mm256_xor_si256(block_load(a + 32 * i), negative), negative);
}

#endif
