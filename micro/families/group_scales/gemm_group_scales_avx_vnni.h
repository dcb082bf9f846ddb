/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm_group_scales.h by vpdpbusd, of activations that are 128 more than they are.
 */
#include "micro/families/group_scales/gemm_group_scales_256.h"

#if GEMM_CODES
#define GEMM_OFFSET 0
#define GEMM_GROUP  32
#else
#define GEMM_CODES  0
#define GEMM_OFFSET 128
#define GEMM_GROUP  16
#endif

ROWS_INLINE __m256i gemm_products(__m256i sums, __m256i values, __m256i a, __m256i scale, bool first)
{
    (void)scale;
    sums = first ? _mm256_setzero_si256() : sums;
    return GEMM_CODES ? _mm256_dpbusd_avx_epi32(sums, values, a) : _mm256_dpbusd_avx_epi32(sums, a, values);
}

ROWS_INLINE __m256i gemm_group(__m256i whole, __m256i sums, __m256i scale)
{
    return _mm256_add_epi32(whole, _mm256_mullo_epi32(sums, scale));
}

ROWS_INLINE __m256i gemm_words(__m256i whole, __m256i minima, __m256i sums)
{
    return _mm256_dpwssd_avx_epi32(whole, minima, sums);
}

ROWS_INLINE __m256i gemm_scale_of(__m256i byte, int bits)
{
    return _mm256_srai_epi32(byte, 24 + bits);
}
