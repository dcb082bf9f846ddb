/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm_group_scales.h by vpdpbusd with 512-bit registers, 32 rows by six tokens, of activations that are 128 more than they are.
 */
#include <immintrin.h>
#include <stdbool.h>
#include <string.h>

#include "micro/frames/rows.h"

#define GEMM_TOKENS  6
#define GEMM_VECTORS 2
#define gemm_floats  __m512
#define gemm_ints    __m512i
#if GEMM_CODES
#define GEMM_OFFSET 0
#define GEMM_GROUP  32
#else
#define GEMM_CODES  0
#define GEMM_OFFSET 128
#define GEMM_GROUP  16
#endif

ROWS_INLINE __m512i gemm_load(const uint8_t *at)
{
    return _mm512_loadu_si512(at);
}

ROWS_INLINE __m512i gemm_broadcast(const void *four)
{
    int32_t bits;
    memcpy(&bits, four, sizeof bits);
    return _mm512_set1_epi32(bits);
}

ROWS_INLINE __m512i gemm_products(__m512i sums, __m512i values, __m512i a, __m512i scale, bool first)
{
    (void)scale;
    sums = first ? _mm512_setzero_si512() : sums;
    return GEMM_CODES ? _mm512_dpbusd_epi32(sums, values, a) : _mm512_dpbusd_epi32(sums, a, values);
}

ROWS_INLINE __m512i gemm_group(__m512i whole, __m512i sums, __m512i scale)
{
    return _mm512_add_epi32(whole, _mm512_mullo_epi32(sums, scale));
}

ROWS_INLINE __m512i gemm_words(__m512i whole, __m512i minima, __m512i sums)
{
    return _mm512_dpwssd_epi32(whole, minima, sums);
}

ROWS_INLINE __m512 gemm_add_scaled(__m512 sum, __m512i whole, const uint8_t *d, float scale)
{
    __m512 both = _mm512_mul_ps(_mm512_loadu_ps(d), _mm512_set1_ps(scale));
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole), both, sum);
}

ROWS_INLINE __m256i gemm_scale_of(__m256i byte, int bits)
{
    return _mm256_srai_epi32(byte, 24 + bits);
}
