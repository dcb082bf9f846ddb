/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two passes of eight values: the largest magnitude, then multiply, convert to nearest even, narrow. The tail is
 * scalar. Back, eight rows at a time.
 */
#include <immintrin.h>
#include <math.h>
#include <string.h>

#include "micro/quantizer.h"

static inline __m256 load_f32(const void *x, size_t i)
{
    return _mm256_loadu_ps((const float *)x + i);
}

static inline __m256 load_bf16(const void *x, size_t i)
{
    __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)((const uint16_t *)x + i)));
    return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
}

static inline float one_f32(const void *x, size_t i)
{
    return ((const float *)x)[i];
}

static inline float one_bf16(const void *x, size_t i)
{
    uint32_t wide = (uint32_t)((const uint16_t *)x)[i] << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

static inline __m128i narrow(__m256i rounded)
{
    __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(rounded), _mm256_extracti128_si256(rounded, 1));
    return _mm_packs_epi16(words, words);
}

static inline __attribute__((always_inline)) struct quantized quantize(const void *x, size_t n, int8_t *q,
                                                                       __m256 (*load)(const void *x, size_t i),
                                                                       float (*one)(const void *x, size_t i))
{
    const __m256 magnitude = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
    __m256 largest[2] = {_mm256_setzero_ps(), _mm256_setzero_ps()};
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        largest[0] = _mm256_max_ps(largest[0], _mm256_and_ps(magnitude, load(x, i)));
        largest[1] = _mm256_max_ps(largest[1], _mm256_and_ps(magnitude, load(x, i + 8)));
    }
    float lanes[8], most = 0;
    _mm256_storeu_ps(lanes, _mm256_max_ps(largest[0], largest[1]));
    for (int lane = 0; lane < 8; lane++)
        most = fmaxf(most, lanes[lane]);
    for (; i < n; i++)
        most = fmaxf(most, fabsf(one(x, i)));

    if (most < QUANTIZER_LEAST)
        most = 0;
    float factor = most > 0 ? 127.0f / most : 0.0f;
    __m256 inverse = _mm256_set1_ps(factor);
    __m256i sums = _mm256_setzero_si256();
    for (i = 0; i + 8 <= n; i += 8) {
        __m256i rounded = _mm256_cvtps_epi32(_mm256_mul_ps(load(x, i), inverse));
        sums = _mm256_add_epi32(sums, rounded);
        _mm_storel_epi64((__m128i *)(void *)(q + i), narrow(rounded));
    }
    int32_t parts[8], sum = 0;
    _mm256_storeu_si256((__m256i *)(void *)parts, sums);
    for (int lane = 0; lane < 8; lane++)
        sum += parts[lane];
    for (; i < n; i++) {
        q[i] = (int8_t)lrintf(one(x, i) * factor);
        sum += q[i];
    }
    return (struct quantized){.scale = most / 127.0f, .sum = sum};
}

static struct quantized from_f32(const float *x, size_t n, int8_t *q)
{
    return quantize(x, n, q, load_f32, one_f32);
}

static struct quantized from_bf16(const uint16_t *x, size_t n, int8_t *q)
{
    return quantize(x, n, q, load_bf16, one_bf16);
}

static inline __m256 rows_at(const int32_t *sums, const float *row_scales, __m256 scale, size_t row)
{
    __m256 sum = _mm256_cvtepi32_ps(_mm256_loadu_si256((const __m256i *)(const void *)(sums + row)));
    return _mm256_mul_ps(_mm256_mul_ps(_mm256_loadu_ps(row_scales + row), scale), sum);
}

static inline float row_at(const int32_t *sums, const float *row_scales, float scale, size_t row)
{
    return row_scales[row] * scale * (float)sums[row];
}

static void rows_to_f32(const int32_t *sums, const float *row_scales, float scale, size_t n, float *y)
{
    size_t row = 0;
    for (; row + 8 <= n; row += 8)
        _mm256_storeu_ps(y + row, rows_at(sums, row_scales, _mm256_set1_ps(scale), row));
    for (; row < n; row++)
        y[row] = row_at(sums, row_scales, scale, row);
}

/** To nearest even: half a unit of the upper 16 bits, of a tie only where it is odd. */
static inline __m256i round_to_bf16(__m256 value)
{
    __m256i bits = _mm256_castps_si256(value);
    __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    return _mm256_srli_epi32(_mm256_add_epi32(_mm256_add_epi32(bits, odd), _mm256_set1_epi32(0x7fff)), 16);
}

static void rows_to_bf16(const int32_t *sums, const float *row_scales, float scale, size_t n, uint16_t *y)
{
    size_t row = 0;
    for (; row + 8 <= n; row += 8) {
        __m256i wide = round_to_bf16(rows_at(sums, row_scales, _mm256_set1_ps(scale), row));
        _mm_storeu_si128((__m128i *)(void *)(y + row),
                         _mm_packus_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1)));
    }
    for (; row < n; row++) {
        __m256 value = _mm256_set1_ps(row_at(sums, row_scales, scale, row));
        y[row] = (uint16_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(round_to_bf16(value)));
    }
}

const struct quantizer SELF = {.name = SELF_NAME,
                               .isa = SELF_ISA,
                               .from_f32 = from_f32,
                               .from_bf16 = from_bf16,
                               .rows_to_f32 = rows_to_f32,
                               .rows_to_bf16 = rows_to_bf16};
