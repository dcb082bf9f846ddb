/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm_group_scales.h by vpmaddubsw: the activations take the signs of the values, and vpmaddwd scales as it widens. Codes of 5 bits have none,
 * and words have room for 16 columns of them: 2 * 31 * 127 * 4.
 */
#include "micro/families/group_scales/gemm_group_scales_256.h"

#define GEMM_OFFSET 0
#define GEMM_GROUP  16
#ifndef GEMM_CODES
#define GEMM_CODES 0
#endif

ROWS_INLINE __m256i gemm_products(__m256i sums, __m256i values, __m256i a, __m256i scale, bool first)
{
    if (GEMM_CODES) {
        __m256i products = _mm256_maddubs_epi16(values, a);
        return first ? products : _mm256_add_epi16(sums, products);
    }
    __m256i words = _mm256_maddubs_epi16(_mm256_abs_epi8(values), _mm256_sign_epi8(a, values));
    __m256i scaled = _mm256_madd_epi16(words, scale);
    return first ? scaled : _mm256_add_epi32(sums, scaled);
}

ROWS_INLINE __m256i gemm_group(__m256i whole, __m256i sums, __m256i scale)
{
    return _mm256_add_epi32(whole, GEMM_CODES ? _mm256_madd_epi16(sums, scale) : sums);
}

ROWS_INLINE __m256i gemm_words(__m256i whole, __m256i minima, __m256i sums)
{
    return _mm256_add_epi32(whole, _mm256_madd_epi16(minima, sums));
}

ROWS_INLINE __m256i gemm_scale_of(__m256i byte, int bits)
{
    return _mm256_srai_epi16(byte, 8 + bits);
}
