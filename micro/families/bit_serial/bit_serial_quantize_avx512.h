/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations to planes with AVX-512, the same bits as bits_quantize() gives.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_QUANTIZE_AVX512_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_QUANTIZE_AVX512_H

#include <immintrin.h>
#include <stdint.h>

/** bits_quantize() of 16 activations at a time. */
static inline __attribute__((always_inline)) void bits_quantize_avx512(const float *x, float scale, uint32_t bits,
                                                                       uint64_t *planes)
{
    const __m512 most = _mm512_set1_ps((float)((1 << bits) - 1));
    __m512i u[4];
    for (int i = 0; i < 4; i++) {
        __m512 v = _mm512_div_ps(_mm512_loadu_ps(x + 16 * i), _mm512_set1_ps(scale));
        v = _mm512_mul_ps(_mm512_add_ps(v, most), _mm512_set1_ps(0.5f));
        v = _mm512_roundscale_ps(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
        u[i] = _mm512_cvttps_epi32(_mm512_min_ps(_mm512_max_ps(v, _mm512_setzero_ps()), most));
    }
    for (uint32_t bit = 0; bit < bits; bit++) {
        const __m512i one = _mm512_set1_epi32(1 << bit);
        uint64_t low = _mm512_test_epi32_mask(u[0], one) | (uint64_t)_mm512_test_epi32_mask(u[1], one) << 16;
        uint64_t high = _mm512_test_epi32_mask(u[2], one) | (uint64_t)_mm512_test_epi32_mask(u[3], one) << 16;
        planes[bit] = low | high << 32;
    }
}

#define BITS_QUANTIZE bits_quantize_avx512

#endif
