/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What bit-serial kernels of AVX-512 share: sums of levels and of planes, and 8 results.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_ROWS_AVX512_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_ROWS_AVX512_H

#include "micro/families/bit_serial/bit_serial_word_avx512.h"

/** Sums of what counts for 2^n, n below `count`, to one, doubled in between. */
BITS_INLINE __m512i bits_sum_powers(const __m512i *sum, int count)
{
    __m512i all = sum[count - 1];
#pragma GCC unroll 16
    for (int n = count - 2; n >= 0; n--)
        all = _mm512_add_epi64(_mm512_add_epi64(all, all), sum[n]);
    return all;
}

/** (2^q - 1) sum U_w of set bits of each plane of weights. */
__attribute__((unused)) BITS_INLINE __m512i bits_weight_units(const __m512i *plane)
{
    __m512i units = bits_sum_powers(plane, WEIGHT_BITS);
    return _mm512_sub_epi64(_mm512_slli_epi64(units, ACTIVATION_BITS), units);
}

/** What bits_result() makes of the sum of differing bits, for 8 rows. */
__attribute__((unused)) BITS_INLINE void bits_store_rows(struct bits_token token, __m512i differing, float *out)
{
    __m256i row = _mm512_cvtepi64_epi32(_mm512_add_epi64(differing, differing));
    row = _mm256_sub_epi32(_mm256_set1_epi32((int32_t)bits_most(token, WEIGHT_BITS, ACTIVATION_BITS)), row);
    _mm256_storeu_ps(out, _mm256_mul_ps(_mm256_cvtepi32_ps(row), _mm256_set1_ps(token.scale)));
}

#endif
