/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rest of gemm_rows.h for exact sums of int8 activations and unsigned codes, in 256 or 512 bits as GEMM_IS_ZMM says.
 * Sums of a part of K wait in out as the integers that they are. The including .c defines gemm_dot().
 */
#ifndef MICRO_FRAMES_GEMM_ROWS_INT32_H
#define MICRO_FRAMES_GEMM_ROWS_INT32_H

#include <immintrin.h>
#include <stdbool.h>

#include "micro/frames/rows.h"
#include "micro/gemm_slice.h"

#ifdef GEMM_IS_ZMM
#define gemm_sums    __m512i
#define gemm_vector  __m512i
#define GEMM_TOKENS  6
#define GEMM_COLUMNS 64

ROWS_INLINE gemm_sums gemm_zero(void)
{
    return _mm512_setzero_si512();
}

ROWS_INLINE gemm_vector gemm_activations(const void *activations, size_t column)
{
    return _mm512_loadu_si512((const int8_t *)activations + column);
}

/** a, b, c and d, each the sum of its lanes. */
ROWS_INLINE __m128i gemm_lanes_sum(__m512i a, __m512i b, __m512i c, __m512i d)
{
    __m512i ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
    __m512i cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
    __m512i all = _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
    __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64(all, 1));
    return _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}
#else
#define gemm_sums    __m256i
#define gemm_vector  __m256i
#define GEMM_TOKENS  3
#define GEMM_COLUMNS 32

ROWS_INLINE gemm_sums gemm_zero(void)
{
    return _mm256_setzero_si256();
}

ROWS_INLINE gemm_vector gemm_activations(const void *activations, size_t column)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)((const int8_t *)activations + column));
}

/** a, b, c and d, each the sum of its lanes. */
ROWS_INLINE __m128i gemm_lanes_sum(__m256i a, __m256i b, __m256i c, __m256i d)
{
    __m256i all = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    return _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
}
#endif

ROWS_INLINE void gemm_put(const struct gemm_slice *slice, const gemm_sums *sum, size_t row, int rows, size_t token,
                          bool first, bool last)
{
    float *out = slice->out + token * slice->out_stride + row;
    __m128i four = rows == 1 ? gemm_lanes_sum(sum[0], gemm_zero(), gemm_zero(), gemm_zero())
                             : gemm_lanes_sum(sum[0], sum[1], sum[2], sum[3]);
    if (!first)
        four = _mm_add_epi32(four, rows == 1 ? _mm_loadu_si32(out) : _mm_loadu_si128((const __m128i *)(void *)out));
    if (last) {
        four = _mm_add_epi32(four, _mm_set1_epi32(slice->corrections[token]));
        four = _mm_castps_si128(_mm_mul_ps(_mm_cvtepi32_ps(four), _mm_set1_ps(slice->scales[token])));
    }
    if (rows == 1)
        _mm_storeu_si32(out, four);
    else
        _mm_storeu_si128((__m128i *)(void *)out, four);
}

#endif
