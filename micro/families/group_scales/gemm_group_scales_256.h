/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What gemm_group_scales.h requires of 256-bit registers, whatever multiplies: 8 rows by four tokens.
 */
#include <immintrin.h>
#include <stdbool.h>
#include <string.h>

#include "micro/frames/rows.h"

#define GEMM_TOKENS  4
#define GEMM_VECTORS 1
#define gemm_floats  __m256
#define gemm_ints    __m256i

ROWS_INLINE __m256i gemm_load(const uint8_t *at)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)at);
}

ROWS_INLINE __m256i gemm_broadcast(const void *four)
{
    int32_t bits;
    memcpy(&bits, four, sizeof bits);
    return _mm256_set1_epi32(bits);
}

ROWS_INLINE __m256 gemm_add_scaled(__m256 sum, __m256i whole, const uint8_t *d, float scale)
{
    __m256 both = _mm256_mul_ps(_mm256_loadu_ps((const float *)(const void *)d), _mm256_set1_ps(scale));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), both, sum);
}
