/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_LAYERS_VECTOR_AVX512_H
#define MICRO_LAYERS_VECTOR_AVX512_H

#include <immintrin.h>
#include <stdint.h>

/** Vectors of the parts beside this file: 16 floats in a register, 32 registers. */
typedef __m512 vec;
enum { LANES = 16, BLOCK_CHUNKS = 4, ROW_VECTORS = 4, SUMS_AT_ONCE = 16 };

static inline vec vec_set(float x)
{
    return _mm512_set1_ps(x);
}

static inline vec vec_load(const float *x)
{
    return _mm512_loadu_ps(x);
}

static inline void vec_store(float *x, vec a)
{
    _mm512_storeu_ps(x, a);
}

static inline vec vec_from_i32(const int32_t *x)
{
    return _mm512_cvtepi32_ps(_mm512_loadu_si512(x));
}

static inline vec vec_load_bf16(const uint16_t *x)
{
    __m256i halves = _mm256_loadu_si256((const __m256i *)(const void *)x);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}

/** Of twice as many values those at even places and those at odd ones, for half of what widening them in order takes. */
static inline void vec_load_bf16_apart(const uint16_t *x, vec *even, vec *odd)
{
    __m512i both = _mm512_loadu_si512(x);
    *even = _mm512_castsi512_ps(_mm512_slli_epi32(both, 16));
    *odd = _mm512_castsi512_ps(_mm512_and_si512(both, _mm512_set1_epi32((int)0xffff0000)));
}

/** To nearest even; no NaN. */
static inline void vec_store_bf16(uint16_t *x, vec a)
{
    __m512i bits = _mm512_castps_si512(a);
    __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    __m512i rounded = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
    _mm256_storeu_si256((__m256i *)(void *)x, _mm512_cvtepi32_epi16(_mm512_srli_epi32(rounded, 16)));
}

static inline vec vec_add(vec a, vec b)
{
    return _mm512_add_ps(a, b);
}

static inline vec vec_sub(vec a, vec b)
{
    return _mm512_sub_ps(a, b);
}

static inline vec vec_mul(vec a, vec b)
{
    return _mm512_mul_ps(a, b);
}

static inline vec vec_div(vec a, vec b)
{
    return _mm512_div_ps(a, b);
}

static inline vec vec_max(vec a, vec b)
{
    return _mm512_max_ps(a, b);
}

static inline vec vec_min(vec a, vec b)
{
    return _mm512_min_ps(a, b);
}

/** a b + c */
static inline vec vec_fma(vec a, vec b, vec c)
{
    return _mm512_fmadd_ps(a, b, c);
}

static inline float vec_sum(vec a)
{
    return _mm512_reduce_add_ps(a);
}

/** The sum of each of SUMS_AT_ONCE registers, side by side. */
static inline void vec_store_sums(const vec a[SUMS_AT_ONCE], float *sums)
{
    vec two[8], four[4];
    /* two[i]: lane of 128 bits by lane, a pair of sums of a[2 i] and one of a[2 i + 1] */
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        two[i] = _mm512_add_ps(_mm512_unpacklo_ps(a[2 * i], a[2 * i + 1]), _mm512_unpackhi_ps(a[2 * i], a[2 * i + 1]));
        /* four[i]: lane by lane a part of the sums of a[4 i] … a[4 i + 3] */
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        __m512d even = _mm512_castps_pd(two[2 * i]), odd = _mm512_castps_pd(two[2 * i + 1]);
        four[i] = _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(even, odd)),
                                _mm512_castpd_ps(_mm512_unpackhi_pd(even, odd)));
    }
    vec low = _mm512_add_ps(_mm512_shuffle_f32x4(four[0], four[1], 0x88), _mm512_shuffle_f32x4(four[0], four[1], 0xdd));
    vec high =
        _mm512_add_ps(_mm512_shuffle_f32x4(four[2], four[3], 0x88), _mm512_shuffle_f32x4(four[2], four[3], 0xdd));
    vec_store(sums, _mm512_add_ps(_mm512_shuffle_f32x4(low, high, 0x88), _mm512_shuffle_f32x4(low, high, 0xdd)));
}

static inline float vec_most(vec a)
{
    return _mm512_reduce_max_ps(a);
}

/** The nearest integer, -126 … 127, and 2 to it. */
static inline vec vec_round(vec a)
{
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

static inline vec vec_power_of_two(vec n)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_add_epi32(_mm512_cvtps_epi32(n), _mm512_set1_epi32(127)), 23));
}

/** Lane j of register i and lane i of register j change places. */
static inline void vec_transpose(vec rows[LANES])
{
    vec of_two[LANES], of_four[LANES];
#pragma GCC unroll 8
    for (int i = 0; i < LANES; i += 2) {
        of_two[i] = _mm512_unpacklo_ps(rows[i], rows[i + 1]);
        of_two[i + 1] = _mm512_unpackhi_ps(rows[i], rows[i + 1]);
    }
    /* of_four[4 i + j]: column 4 l + j of rows 4 i … 4 i + 3 in 128-bit lane l */
#pragma GCC unroll 4
    for (int i = 0; i < LANES; i += 4) {
        __m512d low[2] = {_mm512_castps_pd(of_two[i]), _mm512_castps_pd(of_two[i + 2])};
        __m512d high[2] = {_mm512_castps_pd(of_two[i + 1]), _mm512_castps_pd(of_two[i + 3])};
        of_four[i] = _mm512_castpd_ps(_mm512_unpacklo_pd(low[0], low[1]));
        of_four[i + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low[0], low[1]));
        of_four[i + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(high[0], high[1]));
        of_four[i + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(high[0], high[1]));
    }
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
        vec even[2] = {_mm512_shuffle_f32x4(of_four[j], of_four[4 + j], 0x88),
                       _mm512_shuffle_f32x4(of_four[8 + j], of_four[12 + j], 0x88)};
        vec odd[2] = {_mm512_shuffle_f32x4(of_four[j], of_four[4 + j], 0xdd),
                      _mm512_shuffle_f32x4(of_four[8 + j], of_four[12 + j], 0xdd)};
        rows[j] = _mm512_shuffle_f32x4(even[0], even[1], 0x88);
        rows[4 + j] = _mm512_shuffle_f32x4(odd[0], odd[1], 0x88);
        rows[8 + j] = _mm512_shuffle_f32x4(even[0], even[1], 0xdd);
        rows[12 + j] = _mm512_shuffle_f32x4(odd[0], odd[1], 0xdd);
    }
}

#ifdef __AVX512VNNI__
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

#endif
