/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm_k256_256.h by vpdpbusd and vpdpwssd. Two sums of each token, since those of four tokens are too few for what one takes.
 */
#include "micro/families/k_quants/gemm_k256_256.h"

ROWS_INLINE void gemm_pair(__m256i *sums, const __m256i *codes, const __m256i *a)
{
    sums[0] = _mm256_dpbusd_avx_epi32(sums[0], codes[0], a[0]);
    sums[1] = _mm256_dpbusd_avx_epi32(sums[1], codes[1], a[1]);
}

ROWS_INLINE __m256i gemm_words(__m256i whole, __m256i minima, __m256i sums)
{
    return _mm256_dpwssd_avx_epi32(whole, minima, sums);
}
