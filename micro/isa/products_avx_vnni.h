/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What products_avx2.h does, of unsigned codes by vpdpbusd.
 */
#ifndef MICRO_ISA_PRODUCTS_AVX_VNNI_H
#define MICRO_ISA_PRODUCTS_AVX_VNNI_H

#include <immintrin.h>

#include "micro/isa/rows_inline.h"

/** `start`: what makes codes weights, which the sums begin with. */
ROWS_INLINE __m256i products_begin(__m256i start)
{
    return start;
}

ROWS_INLINE __m256i products_add(__m256i sums, __m256i codes, __m256i activations)
{
    return _mm256_dpbusd_avx_epi32(sums, codes, activations);
}

ROWS_INLINE __m256i products_end(__m256i sums, __m256i start)
{
    (void)start;
    return sums;
}

#endif
