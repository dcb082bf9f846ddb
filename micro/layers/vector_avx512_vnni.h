/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_LAYERS_VECTOR_AVX512_VNNI_H
#define MICRO_LAYERS_VECTOR_AVX512_VNNI_H

#include "micro/layers/vector_avx512.h"

/** Sums of integers for caches of blocks (attention_blocks.c): 32 bits a lane. */
typedef __m512i ivec;
typedef __m512i key_codes; /* four bytes a lane, which are four values of a position */
typedef __m512i value_codes;
enum { KEY_VECTORS = 4, VALUE_VECTORS = 2, KEY_OFFSET = 128 };

static inline ivec ivec_set(int32_t x)
{
    return _mm512_set1_epi32(x);
}

static inline ivec ivec_load_all(const void *four_bytes)
{
    return _mm512_set1_epi32(*(const int32_t *)four_bytes);
}

static inline vec vec_from_ivec(ivec a)
{
    return _mm512_cvtepi32_ps(a);
}

static inline vec vec_load_f16(const uint16_t *x)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)x));
}

/** To nearest, in 16 bits. */
static inline void vec_store_i16(int16_t *x, vec a)
{
    _mm256_storeu_si256((__m256i *)(void *)x, _mm512_cvtepi32_epi16(_mm512_cvtps_epi32(a)));
}

/** Whole numbers, in 8 bits. */
static inline void vec_store_i8(int8_t *x, vec a)
{
    _mm_storeu_si128((__m128i *)(void *)x, _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(a)));
}

/** Codes of keys are q + 128, and a sum of their dot products begins with KEY_OFFSET times that of the queries, negated. */
static inline key_codes keys_load(const uint8_t *codes)
{
    return _mm512_loadu_si512(codes);
}

/** Codes of two chunks, q + 8. */
static inline void keys_load_nibbles(const uint8_t *codes, key_codes *low, key_codes *high)
{
    const __m512i both = _mm512_loadu_si512(codes), mask = _mm512_set1_epi8(15);
    *low = _mm512_and_si512(both, mask);
    *high = _mm512_and_si512(_mm512_srli_epi16(both, 4), mask);
}

static inline ivec keys_dot(ivec sum, key_codes codes, ivec query)
{
    sum = _mm512_dpbusd_epi32(sum, codes, query);
    __asm__("" : "+v"(sum)); /* in its register: the compiler makes copies otherwise */
    return sum;
}

static inline ivec nibbles_dot(ivec sum, key_codes codes, ivec query)
{
    sum = _mm512_dpbusd_epi32(sum, codes, query);
    __asm__("" : "+v"(sum)); /* in its register: the compiler makes copies otherwise */
    return sum;
}

/** Two positions of each lane's value, in 16 bits. */
static inline value_codes values_load(const uint8_t *codes)
{
    return _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)codes));
}

/** Two positions and two more. */
static inline void values_load_nibbles(const uint8_t *codes, value_codes *low, value_codes *high)
{
    const __m512i both = values_load(codes);
    *low = _mm512_srai_epi16(_mm512_slli_epi16(both, 12), 12);
    *high = _mm512_srai_epi16(both, 4);
}

static inline ivec values_dot(ivec sum, value_codes values, ivec weights)
{
    sum = _mm512_dpwssd_epi32(sum, values, weights);
    __asm__("" : "+v"(sum));
    return sum;
}

#endif
