/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What gemm_mixed24.h requires of 256-bit registers, whatever multiplies: 16 rows by three tokens.
 */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "micro/frames/rows.h"

#define GEMM_TOKENS  3
#define GEMM_VECTORS 2
#define gemm_floats  __m256
typedef uint32_t gemm_lanes __attribute__((vector_size(32), may_alias));

ROWS_INLINE gemm_lanes gemm_load(const uint8_t *at)
{
    return (gemm_lanes)_mm256_loadu_si256((const __m256i *)(const void *)at);
}

ROWS_INLINE gemm_lanes gemm_load_words(const uint8_t *at)
{
    return (gemm_lanes)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)at));
}

ROWS_INLINE __m256 gemm_convert(gemm_lanes sum)
{
    return _mm256_cvtepi32_ps((__m256i)sum);
}

ROWS_INLINE __m256 gemm_multiply_add(__m256 a, __m256 b, __m256 c)
{
    return _mm256_fmadd_ps(a, b, c);
}
