/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of signed codes of 8 bits with activations, 256 bits, as block kernels need them: sums that begin, are added to and end as 32
 * bits. The activations take the signs of the codes, and each product is widened, since two of 128 x 127 leave no room in 16 bits.
 */
#ifndef MICRO_ISA_PRODUCTS_AVX2_H
#define MICRO_ISA_PRODUCTS_AVX2_H

#include <immintrin.h>

#include "micro/isa/rows_inline.h"

/** `start`: what makes codes weights, 0 of signed ones. */
ROWS_INLINE __m256i products_begin(__m256i start)
{
    (void)start;
    return _mm256_setzero_si256();
}

ROWS_INLINE __m256i products_add(__m256i sums, __m256i codes, __m256i activations)
{
    __m256i words = _mm256_maddubs_epi16(_mm256_abs_epi8(codes), _mm256_sign_epi8(activations, codes));
    return _mm256_add_epi32(sums, _mm256_madd_epi16(words, _mm256_set1_epi16(1)));
}

ROWS_INLINE __m256i products_end(__m256i sums, __m256i start)
{
    (void)start;
    return sums;
}

#endif
