/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What products_avx2.h does, of unsigned codes of 4 bits: words hold the sums of eight pairs of products at most, 15 * 127 * 2 * 8 =
 * 30480: half a block of 32 columns of a row, which is widened once.
 */
#ifndef MICRO_FAMILIES_BLOCKS_PRODUCTS_WORDS_AVX2_H
#define MICRO_FAMILIES_BLOCKS_PRODUCTS_WORDS_AVX2_H

#include <immintrin.h>

#include "micro/frames/rows.h"

/** `start`: what makes codes weights, added at the end. */
ROWS_INLINE __m256i products_begin(__m256i start)
{
    (void)start;
    return _mm256_setzero_si256();
}

ROWS_INLINE __m256i products_add(__m256i sums, __m256i codes, __m256i activations)
{
    return _mm256_add_epi16(sums, _mm256_maddubs_epi16(codes, activations));
}

ROWS_INLINE __m256i products_end(__m256i sums, __m256i start)
{
    return _mm256_add_epi32(_mm256_madd_epi16(sums, _mm256_set1_epi16(1)), start);
}

#endif
