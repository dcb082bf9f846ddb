/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What bit-serial kernels of AVX2 share: activations to planes, registers of 4 rows, set bits of each byte by looking nibbles up.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_BYTES_AVX2_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_BYTES_AVX2_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

/** bits_quantize() of 8 activations at a time. */
static inline __attribute__((always_inline)) void bits_quantize_avx2(const float *x, float scale, uint32_t bits,
                                                                     uint64_t *planes)
{
    const __m256 most = _mm256_set1_ps((float)((1 << bits) - 1));
    for (uint32_t bit = 0; bit < bits; bit++)
        planes[bit] = 0;
    for (int i = 0; i < 8; i++) {
        __m256 v = _mm256_div_ps(_mm256_loadu_ps(x + 8 * i), _mm256_set1_ps(scale));
        v = _mm256_mul_ps(_mm256_add_ps(v, most), _mm256_set1_ps(0.5f));
        v = _mm256_round_ps(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
        __m256i u = _mm256_cvttps_epi32(_mm256_min_ps(_mm256_max_ps(v, _mm256_setzero_ps()), most));
        for (uint32_t bit = 0; bit < bits; bit++) {
            __m256i sign = _mm256_slli_epi32(u, (int)(31 - bit));
            planes[bit] |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(sign)) << 8 * i;
        }
    }
}

#define BITS_QUANTIZE bits_quantize_avx2
#include "micro/families/bit_serial/bit_serial_gemm.h"

enum { HALF_ROWS = 4, HALF_BYTES = 32 };

BITS_INLINE __m256i bits_load(const void *at)
{
    return _mm256_loadu_si256(at);
}

/** Set bits of each byte. */
BITS_INLINE __m256i bits_count(__m256i bits)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1,
                                            2, 2, 3, 2, 3, 3, 4);
    __m256i low = _mm256_and_si256(bits, nibble), high = _mm256_and_si256(_mm256_srli_epi16(bits, 4), nibble);
    return _mm256_add_epi8(_mm256_shuffle_epi8(counts, low), _mm256_shuffle_epi8(counts, high));
}

/** Sums of 4 rows as integers of 32 bits. */
BITS_INLINE __m128i bits_narrow(__m256i sum)
{
    return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(sum, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6)));
}

#endif
