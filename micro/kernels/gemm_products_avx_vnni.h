/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of gemm_block32_256.h by vpdpbusd, of unsigned codes of 8 bits.
 */
ROWS_INLINE __m256i gemm_products(__m256i sums, __m256i codes, __m256i a, bool first)
{
    return _mm256_dpbusd_avx_epi32(first ? _mm256_setzero_si256() : sums, codes, a);
}

ROWS_INLINE __m256i gemm_whole(__m256i sums, int32_t offset)
{
    return _mm256_add_epi32(sums, _mm256_set1_epi32(offset));
}
