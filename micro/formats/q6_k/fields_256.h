/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes and scales of a block of q6_k in registers of 256 bits. A field is 32 columns, a group of 16 in each half.
 */
#ifndef MICRO_FORMATS_Q6_K_FIELDS_256_H
#define MICRO_FORMATS_Q6_K_FIELDS_256_H

#include "micro/families/blocks/blocks_avx2.h"
#include "micro/formats/q6_k/codes_256.h"

/** The bytes that have the lower bits of columns 32 number …, and those that have the upper ones. */
ROWS_INLINE __m256i q6_k_low(const uint8_t *weights, int number)
{
    return block_load(weights + number / 4 * 64 + number % 2 * 32);
}

ROWS_INLINE __m256i q6_k_high(const uint8_t *weights, int number)
{
    return block_load(weights + BLOCK_HIGH + number / 4 * 32);
}

/** Words: scales of even groups in the lower half, of odd ones in the upper. */
ROWS_INLINE __m256i q6_k_scales(const uint8_t *weights)
{
    const __m128i order = _mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
    return _mm256_cvtepi8_epi16(_mm_shuffle_epi8(block_load_half(weights + BLOCK_SCALES), order));
}

#endif
