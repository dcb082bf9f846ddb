/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes and scales of a block of q3_k in registers of 256 bits. A field is 32 columns, a group of 16 in each half.
 */
#ifndef MICRO_FORMATS_Q3_K_FIELDS_256_H
#define MICRO_FORMATS_Q3_K_FIELDS_256_H

#include "micro/families/blocks/blocks_avx2.h"
#include "micro/formats/q3_k/codes_256.h"

/** Bytes of the scales of the 16 groups. */
ROWS_INLINE __m128i q3_k_scales(const uint8_t *weights)
{
    int64_t low;
    int32_t high;
    memcpy(&low, weights + BLOCK_SCALES, sizeof low);
    memcpy(&high, weights + BLOCK_SCALES + 8, sizeof high);
    __m128i scales = _mm_srlv_epi64(_mm_set1_epi64x(low), _mm_setr_epi32(0, 0, 4, 0));
    __m128i upper = _mm_srlv_epi32(_mm_set1_epi32(high), _mm_setr_epi32(0, 2, 4, 6));
    upper = _mm_and_si128(_mm_slli_epi16(upper, 4), _mm_set1_epi8(0x30));
    scales = _mm_or_si128(_mm_and_si128(scales, _mm_set1_epi8(15)), upper);
    return _mm_sub_epi8(scales, _mm_set1_epi8(32));
}

/** The same as words: those of even groups in the lower half, of odd ones in the upper. */
ROWS_INLINE __m256i q3_k_field_scales(__m128i scales)
{
    const __m128i order = _mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
    return _mm256_cvtepi8_epi16(_mm_shuffle_epi8(scales, order));
}

#endif
