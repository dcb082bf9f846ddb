/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMVs that multiply the weights with their sign, vpdpbssd, of formats that store them with an offset. The driver's
 * correction takes that off, so it is put back: the sum of the activations of the slice, once a call. On k bytes against rows times k
 * of weights it is nothing to see.
 */
#ifndef MICRO_FAMILIES_PLANES_SIGNED_WEIGHTS_H
#define MICRO_FAMILIES_PLANES_SIGNED_WEIGHTS_H

#include <immintrin.h>

#include "micro/kernel.h"

/** The sum of k activations, modulo 2^32. */
static inline int32_t signed_weights_sum(const int8_t *activations, size_t k)
{
    const __m256i ones = _mm256_set1_epi8(1);
    __m256i sums = _mm256_setzero_si256();
    size_t i = 0;
    for (; i + 32 <= k; i += 32)
        sums =
            _mm256_dpbusd_avx_epi32(sums, ones, _mm256_loadu_si256((const __m256i *)(const void *)(activations + i)));
    int32_t lanes[8], sum = 0;
    _mm256_storeu_si256((__m256i *)(void *)lanes, sums);
    for (int lane = 0; lane < 8; lane++)
        sum = add_wrapping(sum, lanes[lane]);
    for (; i < k; i++)
        sum += activations[i];
    return sum;
}

/** The slice as a kernel without an offset needs it. */
static inline struct gemv_slice signed_weights_slice(const struct gemv_slice *slice, const struct format *format)
{
    struct gemv_slice other = *slice;
    uint32_t offset = (uint32_t)format->activation_offset * (uint32_t)signed_weights_sum(slice->activations, slice->k);
    other.correction = add_wrapping(slice->correction, (int32_t)offset);
    return other;
}

#endif
