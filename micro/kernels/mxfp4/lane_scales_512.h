/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Half the scales of sixteen blocks of MXFP4 whose exponents are neighbours, for gemm_block32_avx512_vnni.h.
 */
#include <immintrin.h>

#include "micro/kernels/rows.h"

#define GEMM_SCALE_BYTES 1

ROWS_INLINE __m512 gemm_scale(const uint8_t *exponents)
{
    __m512i e = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)exponents));
    __m512 less = _mm512_cvtepi32_ps(_mm512_sub_epi32(e, _mm512_set1_epi32(128)));
    return _mm512_scalef_ps(_mm512_set1_ps(1), less);
}
