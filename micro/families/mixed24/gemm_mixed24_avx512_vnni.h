/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm_mixed24.h by vpdpbusd with 512-bit registers: 32 rows by six tokens.
 */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "micro/frames/rows.h"

#define GEMM_TOKENS  6
#define GEMM_VECTORS 2
#define gemm_floats  __m512
typedef uint32_t gemm_lanes __attribute__((vector_size(64), may_alias));

ROWS_INLINE gemm_lanes gemm_load(const uint8_t *at)
{
    return (gemm_lanes)_mm512_loadu_si512(at);
}

ROWS_INLINE gemm_lanes gemm_load_words(const uint8_t *at)
{
    return (gemm_lanes)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)at));
}

ROWS_INLINE gemm_lanes gemm_dot(gemm_lanes sum, gemm_lanes codes, gemm_lanes activations)
{
    return (gemm_lanes)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)codes, (__m512i)activations);
}

ROWS_INLINE __m512 gemm_convert(gemm_lanes sum)
{
    return _mm512_cvtepi32_ps((__m512i)sum);
}

ROWS_INLINE __m512 gemm_multiply_add(__m512 a, __m512 b, __m512 c)
{
    return _mm512_fmadd_ps(a, b, c);
}

#include "micro/families/mixed24/gemm_mixed24_vnni.h"
