/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What bit-serial kernels of AVX-512 share behind bit_serial_gemm.h: sums of levels to 8 results.
 */
#ifndef MICRO_KERNELS_BIT_SERIAL_ROWS_AVX512_H
#define MICRO_KERNELS_BIT_SERIAL_ROWS_AVX512_H

#include "micro/kernels/bit_serial_word_avx512.h"

/** Levels to one sum, doubled in between, and that to 8 rows. */
__attribute__((unused)) BITS_INLINE void bits_store_rows(struct bits_token token, const __m512i *sum, float *out)
{
    __m512i all = sum[BITS_LEVELS - 1];
#pragma GCC unroll 16
    for (int level = BITS_LEVELS - 2; level >= 0; level--)
        all = _mm512_add_epi64(_mm512_add_epi64(all, all), sum[level]);
    __m256i row = _mm512_cvtepi64_epi32(_mm512_add_epi64(all, all));
    row = _mm256_sub_epi32(_mm256_set1_epi32((int32_t)bits_most(token, WEIGHT_BITS, ACTIVATION_BITS)), row);
    _mm256_storeu_ps(out, _mm256_mul_ps(_mm256_cvtepi32_ps(row), _mm256_set1_ps(token.scale)));
}

#endif
