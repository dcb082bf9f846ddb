/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of gemm_block32_256.h of signed codes of 8 bits: the activations take their signs, and each product is widened, since two
 * of 128 x 127 leave no room in 16 bits.
 */
ROWS_INLINE __m256i gemm_products(__m256i sums, __m256i codes, __m256i a, bool first)
{
    __m256i words = _mm256_maddubs_epi16(_mm256_abs_epi8(codes), _mm256_sign_epi8(a, codes));
    __m256i whole = _mm256_madd_epi16(words, _mm256_set1_epi16(1));
    return first ? whole : _mm256_add_epi32(sums, whole);
}

ROWS_INLINE __m256i gemm_whole(__m256i sums, int32_t offset)
{
    (void)offset;
    return sums;
}
