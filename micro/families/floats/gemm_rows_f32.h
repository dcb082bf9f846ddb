/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rest of gemm_rows.h for sums of floats, in 256 or 512 bits as the instruction set has them, and activations that stay floats
 * unless the including .c has a gemm_activations() of its own (GEMM_CONVERTS).
 */
#ifndef MICRO_FAMILIES_FLOATS_GEMM_ROWS_F32_H
#define MICRO_FAMILIES_FLOATS_GEMM_ROWS_F32_H

#include <immintrin.h>
#include <stdbool.h>

#include "micro/frames/rows.h"
#include "micro/gemm_slice.h"

#ifdef __AVX512F__
#define gemm_sums   __m512
#define GEMM_TOKENS 6

ROWS_INLINE gemm_sums gemm_zero(void)
{
    return _mm512_setzero_ps();
}

/** a, b, c and d, each the sum of its lanes. */
ROWS_INLINE __m128 gemm_lanes_sum(__m512 a, __m512 b, __m512 c, __m512 d)
{
    __m512 ab = _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
    __m512 cd = _mm512_add_ps(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
    __m512d low = _mm512_unpacklo_pd(_mm512_castps_pd(ab), _mm512_castps_pd(cd));
    __m512d high = _mm512_unpackhi_pd(_mm512_castps_pd(ab), _mm512_castps_pd(cd));
    __m512 all = _mm512_add_ps(_mm512_castpd_ps(low), _mm512_castpd_ps(high));
    __m256 half = _mm256_add_ps(_mm512_castps512_ps256(all), _mm512_extractf32x8_ps(all, 1));
    return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
}
#else
#define gemm_sums   __m256
#define GEMM_TOKENS 3

ROWS_INLINE gemm_sums gemm_zero(void)
{
    return _mm256_setzero_ps();
}

/** a, b, c and d, each the sum of its lanes. */
ROWS_INLINE __m128 gemm_lanes_sum(__m256 a, __m256 b, __m256 c, __m256 d)
{
    __m256 all = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
    return _mm_add_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1));
}
#endif

ROWS_INLINE void gemm_put(const struct gemm_slice *slice, const gemm_sums *sum, size_t row, int rows, size_t token,
                          bool first, bool last)
{
    (void)last;
    float *out = slice->out + token * slice->out_stride + row;
    if (rows == 1) {
        __m128 one = gemm_lanes_sum(sum[0], gemm_zero(), gemm_zero(), gemm_zero());
        *out = _mm_cvtss_f32(one) + (first ? 0 : *out);
        return;
    }
    __m128 four = gemm_lanes_sum(sum[0], sum[1], sum[2], sum[3]);
    _mm_storeu_ps(out, first ? four : _mm_add_ps(four, _mm_loadu_ps(out)));
}

#ifndef GEMM_CONVERTS
#ifdef __AVX512F__
#define gemm_vector  __m512
#define GEMM_COLUMNS 16

ROWS_INLINE gemm_vector gemm_activations(const void *activations, size_t column)
{
    return _mm512_loadu_ps((const float *)activations + column);
}

ROWS_INLINE gemm_sums gemm_dot(gemm_sums sum, gemm_vector weights, gemm_vector activations)
{
    return _mm512_fmadd_ps(weights, activations, sum);
}

/* Stored floats of 32 and 16 bits, as those of activations, exactly. */
ROWS_INLINE gemm_vector widen_floats(const void *at)
{
    return _mm512_loadu_ps(at);
}

ROWS_INLINE gemm_vector widen_halves(const void *at)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256(at));
}

ROWS_INLINE gemm_vector widen_bfloats(const void *at)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256(at)), 16));
}
#else
#define gemm_vector  __m256
#define GEMM_COLUMNS 8

ROWS_INLINE gemm_vector gemm_activations(const void *activations, size_t column)
{
    return _mm256_loadu_ps((const float *)activations + column);
}

ROWS_INLINE gemm_sums gemm_dot(gemm_sums sum, gemm_vector weights, gemm_vector activations)
{
    return _mm256_fmadd_ps(weights, activations, sum);
}

ROWS_INLINE gemm_vector widen_floats(const void *at)
{
    return _mm256_loadu_ps(at);
}

ROWS_INLINE gemm_vector widen_halves(const void *at)
{
    return _mm256_cvtph_ps(_mm_loadu_si128(at));
}

ROWS_INLINE gemm_vector widen_bfloats(const void *at)
{
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128(at)), 16));
}
#endif
#endif

#endif
