/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Half the scales of blocks of MXFP4 whose exponents are neighbours, as many as lanes, for gemm_block32.h: scale.h's bits without its table.
 */
#include <immintrin.h>

#include "micro/frames/rows.h"

#define GEMM_SCALE_BYTES 1

#ifdef __AVX512F__
ROWS_INLINE __m512 gemm_scale(const uint8_t *exponents)
{
    __m512i e = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)exponents));
    __m512 less = _mm512_cvtepi32_ps(_mm512_sub_epi32(e, _mm512_set1_epi32(128)));
    return _mm512_scalef_ps(_mm512_set1_ps(1), less);
}
#else
ROWS_INLINE __m256 gemm_scale(const uint8_t *exponents)
{
    const __m256i two = _mm256_set1_epi32(2);
    __m256i e = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)exponents));
    __m256i least = _mm256_sllv_epi32(_mm256_set1_epi32(0x200000), _mm256_min_epu32(e, two));
    __m256i more = _mm256_slli_epi32(_mm256_sub_epi32(_mm256_max_epu32(e, two), two), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(least, more));
}
#endif
