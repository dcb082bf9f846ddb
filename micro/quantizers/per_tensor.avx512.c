/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two passes of sixteen values: the largest magnitude, then multiply, convert to nearest even, narrow. Tails are
 * masked. Back, sixteen rows at a time.
 */
#include <immintrin.h>

#include "micro/quantizer.h"

static inline __m512 load_f32(const void *x, size_t i, __mmask16 mask)
{
    return _mm512_maskz_loadu_ps(mask, (const float *)x + i);
}

static inline __m512 load_bf16(const void *x, size_t i, __mmask16 mask)
{
    __m512i wide = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, (const uint16_t *)x + i));
    return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
}

static inline __mmask16 mask_at(size_t i, size_t n)
{
    return (__mmask16)(n - i >= 16 ? 0xffffu : (1u << (n - i)) - 1);
}

static inline __attribute__((always_inline)) struct quantized
quantize(const void *x, size_t n, int8_t *q, __m512 (*load)(const void *x, size_t i, __mmask16 mask))
{
    /* four chains of max: vmaxps has a latency of 4 */
    __m512 largest[4] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps()};
    size_t i = 0;
    for (; i + 64 <= n; i += 64) {
        for (size_t j = 0; j < 4; j++)
            largest[j] = _mm512_max_ps(largest[j], _mm512_abs_ps(load(x, i + 16 * j, 0xffff)));
    }
    for (; i < n; i += 16)
        largest[0] = _mm512_max_ps(largest[0], _mm512_abs_ps(load(x, i, mask_at(i, n))));
    float most = _mm512_reduce_max_ps(
        _mm512_max_ps(_mm512_max_ps(largest[0], largest[1]), _mm512_max_ps(largest[2], largest[3])));
    if (most < QUANTIZER_LEAST)
        most = 0;

    __m512 inverse = _mm512_set1_ps(most > 0 ? 127.0f / most : 0.0f);
    __m512i sum = _mm512_setzero_si512();
    for (i = 0; i < n; i += 16) {
        __mmask16 mask = mask_at(i, n);
        __m512i rounded = _mm512_cvtps_epi32(_mm512_mul_ps(load(x, i, mask), inverse));
        sum = _mm512_add_epi32(sum, rounded);
        _mm_mask_storeu_epi8(q + i, mask, _mm512_cvtepi32_epi8(rounded));
    }
    return (struct quantized){.scale = most / 127.0f, .sum = _mm512_reduce_add_epi32(sum)};
}

static struct quantized from_f32(const float *x, size_t n, int8_t *q)
{
    return quantize(x, n, q, load_f32);
}

static struct quantized from_bf16(const uint16_t *x, size_t n, int8_t *q)
{
    return quantize(x, n, q, load_bf16);
}

static inline __m512 rows_at(const int32_t *sums, const float *row_scales, __m512 scale, size_t row, __mmask16 mask)
{
    __m512 sum = _mm512_cvtepi32_ps(_mm512_maskz_loadu_epi32(mask, sums + row));
    return _mm512_mul_ps(_mm512_mul_ps(_mm512_maskz_loadu_ps(mask, row_scales + row), scale), sum);
}

static void rows_to_f32(const int32_t *sums, const float *row_scales, float scale, size_t n, float *y)
{
    for (size_t row = 0; row < n; row += 16) {
        __mmask16 mask = mask_at(row, n);
        _mm512_mask_storeu_ps(y + row, mask, rows_at(sums, row_scales, _mm512_set1_ps(scale), row, mask));
    }
}

static void rows_to_bf16(const int32_t *sums, const float *row_scales, float scale, size_t n, uint16_t *y)
{
    for (size_t row = 0; row < n; row += 16) {
        __mmask16 mask = mask_at(row, n);
        __m512i bits = _mm512_castps_si512(rows_at(sums, row_scales, _mm512_set1_ps(scale), row, mask));
        /* to nearest even: half a unit of the upper 16 bits, of a tie only where it is odd */
        __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
        bits = _mm512_add_epi32(_mm512_add_epi32(bits, odd), _mm512_set1_epi32(0x7fff));
        _mm256_mask_storeu_epi16(y + row, mask, _mm512_cvtepi32_epi16(_mm512_srli_epi32(bits, 16)));
    }
}

const struct quantizer SELF = {.name = SELF_NAME,
                               .isa = SELF_ISA,
                               .from_f32 = from_f32,
                               .from_bf16 = from_bf16,
                               .rows_to_f32 = rows_to_f32,
                               .rows_to_bf16 = rows_to_bf16};
