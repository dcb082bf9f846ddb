/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of q8.h made with 256-bit vectors: prepare() of kernels compiled for AVX2 or beyond.
 */
#ifndef MICRO_FAMILIES_BLOCKS_Q8_AVX2_H
#define MICRO_FAMILIES_BLOCKS_Q8_AVX2_H

#include <immintrin.h>
#include <math.h>

#include "micro/families/blocks/q8.h"

static inline float q8_largest(__m256 lanes)
{
    __m128 half = _mm_max_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
    half = _mm_max_ps(half, _mm_movehl_ps(half, half));
    half = _mm_max_ss(half, _mm_movehdup_ps(half));
    return _mm_cvtss_f32(half);
}

/** max|x| of n values, n a multiple of 32. */
static inline float q8_magnitude(const float *x, size_t n)
{
    const __m256 magnitude = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
    __m256 most[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
    for (size_t i = 0; i < n; i += 32) {
        for (size_t j = 0; j < 4; j++)
            most[j] = _mm256_max_ps(most[j], _mm256_and_ps(magnitude, _mm256_loadu_ps(x + i + 8 * j)));
    }
    return q8_largest(_mm256_max_ps(_mm256_max_ps(most[0], most[1]), _mm256_max_ps(most[2], most[3])));
}

/** 32 values to int8, in order. */
static inline __m256i q8_round(const float *x, __m256 factor)
{
    __m256i words[4];
    for (size_t j = 0; j < 4; j++)
        words[j] = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(x + 8 * j), factor));
    __m256i low = _mm256_packs_epi32(words[0], words[1]), high = _mm256_packs_epi32(words[2], words[3]);
    /* the packs work in each half: put the groups of four back in order */
    return _mm256_permutevar8x32_epi32(_mm256_packs_epi16(low, high), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

static inline int32_t q8_sum(__m256i words)
{
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1)));
}

/** Eight sums of four neighbours each. */
static inline __m256i q8_sums_of_4(__m256i q)
{
    return _mm256_madd_epi16(_mm256_maddubs_epi16(_mm256_set1_epi8(1), q), _mm256_set1_epi16(1));
}

static inline float q8_factor(float most, float *scale)
{
    *scale = most < Q8_LEAST ? 0 : most / 127;
    return most < Q8_LEAST ? 0 : 127 / most;
}

/** The scale and the sum of a block. */
struct q8_facts {
    float scale;
    int32_t sum;
};

/** One block of n columns, a multiple of 32, to q, which is 32-byte aligned. */
static inline struct q8_facts q8_make(const float *x, size_t n, int8_t *q)
{
    struct q8_facts facts;
    __m256 factor = _mm256_set1_ps(q8_factor(q8_magnitude(x, n), &facts.scale));
    __m256i all = _mm256_setzero_si256();
    for (size_t i = 0; i < n; i += 32) {
        __m256i values = q8_round(x + i, factor);
        _mm256_store_si256((__m256i *)(void *)(q + i), values);
        all = _mm256_add_epi32(all, q8_sums_of_4(values));
    }
    facts.sum = q8_sum(all);
    return facts;
}

/** k a multiple of 32. */
static inline void q8_32_make(const float *x, size_t k, struct q8_32 *blocks)
{
    for (size_t i = 0; i < k; i += 32, blocks++) {
        *blocks = (struct q8_32){0};
        struct q8_facts facts = q8_make(x + i, 32, blocks->q);
        blocks->scale = facts.scale;
        blocks->sum = facts.sum;
    }
}

/** k a multiple of 64. */
static inline void q8_64_make(const float *x, size_t k, struct q8_64 *blocks)
{
    for (size_t i = 0; i < k; i += 64, blocks++) {
        *blocks = (struct q8_64){0};
        struct q8_facts facts = q8_make(x + i, 64, blocks->q);
        blocks->scale = facts.scale;
        blocks->sum = facts.sum;
    }
}

/** k a multiple of 128. */
static inline void q8_128_make(const float *x, size_t k, struct q8_128 *blocks)
{
    for (size_t i = 0; i < k; i += 128, blocks++) {
        *blocks = (struct q8_128){0};
        struct q8_facts facts = q8_make(x + i, 128, blocks->q);
        blocks->scale = facts.scale;
        blocks->sum = facts.sum;
    }
}

/** k a multiple of 256. */
static inline void q8_256_make(const float *x, size_t k, struct q8_256 *blocks)
{
    for (size_t i = 0; i < k; i += 256, blocks++) {
        float scale;
        __m256 factor = _mm256_set1_ps(q8_factor(q8_magnitude(x + i, 256), &scale));
        __m256i all = _mm256_setzero_si256();
        for (size_t j = 0; j < 256; j += 32) {
            __m256i q = q8_round(x + i + j, factor), sums = q8_sums_of_4(q);
            _mm256_store_si256((__m256i *)(void *)(blocks->q + j), q);
            all = _mm256_add_epi32(all, sums);
            sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(sums, 0xb1)); /* of 8, then of 16 in each half */
            sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(sums, 0x4e));
            blocks->sums[j / 16] = (int16_t)_mm256_extract_epi32(sums, 0);
            blocks->sums[j / 16 + 1] = (int16_t)_mm256_extract_epi32(sums, 4);
        }
        blocks->scale = scale;
        blocks->sum = q8_sum(all);
        for (int j = 0; j < 6; j++)
            blocks->unused[j] = 0;
    }
}

#endif
