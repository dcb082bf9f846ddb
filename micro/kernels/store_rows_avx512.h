/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Results of rows side by side: the sums of four rows are added across their lanes together, 17 uops where one after the other takes 36. Lost: to
 * keep the lanes of many rows in memory and to add them later, so that they do not wait in the schedulers for the last products of their rows, took
 * 2 to 10% longer for rows of 768 columns.
 */
#ifndef MICRO_KERNELS_STORE_ROWS_AVX512_H
#define MICRO_KERNELS_STORE_ROWS_AVX512_H

#include <immintrin.h>

#include "micro/kernels/rows.h"

/** The sums of the lanes of four registers. */
ROWS_INLINE __m128 four_sums(const __m512 *sum)
{
    __m256 half[4];
#pragma GCC unroll 4
    for (int r = 0; r < 4; r++)
        half[r] = _mm256_add_ps(_mm512_castps512_ps256(sum[r]), _mm512_extractf32x8_ps(sum[r], 1));
    __m256 rows = _mm256_hadd_ps(_mm256_hadd_ps(half[0], half[1]), _mm256_hadd_ps(half[2], half[3]));
    return _mm_add_ps(_mm256_castps256_ps128(rows), _mm256_extractf128_ps(rows, 1));
}

/** out[row[r]] becomes the sum of the lanes of sum[r], of ROWS_TOGETHER rows (four) or of one. */
ROWS_INLINE void store_rows(float *out, const size_t *row, const __m512 *sum, int count)
{
    if (count == 1) {
        out[row[0]] = _mm512_reduce_add_ps(sum[0]);
        return;
    }
    _Alignas(16) float sums[4];
    _mm_store_ps(sums, four_sums(sum));
#pragma GCC unroll 4
    for (int r = 0; r < 4; r++)
        out[row[r]] = sums[r];
}

#endif
