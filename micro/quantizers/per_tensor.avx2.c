/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two passes of eight values: the largest magnitude, then multiply, convert to nearest even, narrow. The tail is
 * scalar.
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

const struct quantizer SELF = {.name = SELF_NAME, .isa = SELF_ISA, .from_f32 = from_f32, .from_bf16 = from_bf16};
