/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm_k256_256.h by vpmaddubsw: two of 2 x 45 x 127 are added in words before vpmaddwd widens them.
 */
#include "micro/families/k_quants/gemm_k256_256.h"

ROWS_INLINE void gemm_pair(__m256i *sums, const __m256i *codes, const __m256i *a)
{
    __m256i words = _mm256_add_epi16(_mm256_maddubs_epi16(codes[0], a[0]), _mm256_maddubs_epi16(codes[1], a[1]));
    sums[0] = _mm256_add_epi32(sums[0], _mm256_madd_epi16(words, _mm256_set1_epi16(1)));
}

ROWS_INLINE __m256i gemm_words(__m256i whole, __m256i minima, __m256i sums)
{
    return _mm256_add_epi32(whole, _mm256_madd_epi16(minima, sums));
}
