/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_LAYERS_VECTOR_AVX2_H
#define MICRO_LAYERS_VECTOR_AVX2_H

#include <immintrin.h>
#include <stdint.h>

/** Vectors of the parts beside this file: 8 floats in a register, 16 registers. */
typedef __m256 vec;
enum { LANES = 8, BLOCK_CHUNKS = 2, ROW_VECTORS = 2, SUMS_AT_ONCE = 8 };

static inline vec vec_set(float x)
{
    return _mm256_set1_ps(x);
}

static inline vec vec_load(const float *x)
{
    return _mm256_loadu_ps(x);
}

static inline void vec_store(float *x, vec a)
{
    _mm256_storeu_ps(x, a);
}

static inline vec vec_from_i32(const int32_t *x)
{
    return _mm256_cvtepi32_ps(_mm256_loadu_si256((const __m256i *)(const void *)x));
}

static inline vec vec_load_bf16(const uint16_t *x)
{
    __m128i halves = _mm_loadu_si128((const __m128i *)(const void *)x);
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
}

/** Of twice as many values those at even places and those at odd ones, for half of what widening them in order takes. */
static inline void vec_load_bf16_apart(const uint16_t *x, vec *even, vec *odd)
{
    __m256i both = _mm256_loadu_si256((const __m256i *)(const void *)x);
    *even = _mm256_castsi256_ps(_mm256_slli_epi32(both, 16));
    *odd = _mm256_castsi256_ps(_mm256_and_si256(both, _mm256_set1_epi32((int)0xffff0000)));
}

/** To nearest even; no NaN. */
static inline void vec_store_bf16(uint16_t *x, vec a)
{
    __m256i bits = _mm256_castps_si256(a);
    __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    __m256i rounded = _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
    __m256i high = _mm256_srli_epi32(rounded, 16);
    __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(high), _mm256_extracti128_si256(high, 1));
    _mm_storeu_si128((__m128i *)(void *)x, words);
}

static inline vec vec_add(vec a, vec b)
{
    return _mm256_add_ps(a, b);
}

static inline vec vec_sub(vec a, vec b)
{
    return _mm256_sub_ps(a, b);
}

static inline vec vec_mul(vec a, vec b)
{
    return _mm256_mul_ps(a, b);
}

static inline vec vec_div(vec a, vec b)
{
    return _mm256_div_ps(a, b);
}

static inline vec vec_max(vec a, vec b)
{
    return _mm256_max_ps(a, b);
}

static inline vec vec_min(vec a, vec b)
{
    return _mm256_min_ps(a, b);
}

/** a b + c */
static inline vec vec_fma(vec a, vec b, vec c)
{
    return _mm256_fmadd_ps(a, b, c);
}

static inline float vec_sum(vec a)
{
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

/** The sum of each of SUMS_AT_ONCE registers, side by side. */
static inline void vec_store_sums(const vec a[SUMS_AT_ONCE], float *sums)
{
    vec four[2]; /* half by half a part of the sums of a[4 i] … a[4 i + 3] */
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++)
        four[i] = _mm256_hadd_ps(_mm256_hadd_ps(a[4 * i], a[4 * i + 1]), _mm256_hadd_ps(a[4 * i + 2], a[4 * i + 3]));
    vec_store(sums, _mm256_add_ps(_mm256_permute2f128_ps(four[0], four[1], 0x20),
                                  _mm256_permute2f128_ps(four[0], four[1], 0x31)));
}

static inline float vec_most(vec a)
{
    __m128 four = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

/** The nearest integer, -126 … 127, and 2 to it. */
static inline vec vec_round(vec a)
{
    return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

static inline vec vec_power_of_two(vec n)
{
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23));
}

/** Lane j of register i and lane i of register j change places. */
static inline void vec_transpose(vec rows[LANES])
{
    vec of_two[LANES], of_four[LANES];
#pragma GCC unroll 4
    for (int i = 0; i < LANES; i += 2) {
        of_two[i] = _mm256_unpacklo_ps(rows[i], rows[i + 1]);
        of_two[i + 1] = _mm256_unpackhi_ps(rows[i], rows[i + 1]);
    }
    /* of_four[4 i + j]: column 4 l + j of rows 4 i … 4 i + 3 in half l */
#pragma GCC unroll 2
    for (int i = 0; i < LANES; i += 4) {
        of_four[i] = _mm256_shuffle_ps(of_two[i], of_two[i + 2], 0x44);
        of_four[i + 1] = _mm256_shuffle_ps(of_two[i], of_two[i + 2], 0xee);
        of_four[i + 2] = _mm256_shuffle_ps(of_two[i + 1], of_two[i + 3], 0x44);
        of_four[i + 3] = _mm256_shuffle_ps(of_two[i + 1], of_two[i + 3], 0xee);
    }
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
        rows[j] = _mm256_permute2f128_ps(of_four[j], of_four[4 + j], 0x20);
        rows[4 + j] = _mm256_permute2f128_ps(of_four[j], of_four[4 + j], 0x31);
    }
}

/** Sums of integers for caches of blocks (attention_blocks.c): 32 bits a lane. */
typedef __m256i ivec;
typedef struct {
    __m256i of, magnitude;
} key_codes; /* four bytes a lane, which are four values of a position */
typedef __m256i value_codes;
#ifdef __AVXVNNI__
enum { KEY_VECTORS = 2, VALUE_VECTORS = 2, KEY_OFFSET = 128 };
#else
enum { KEY_VECTORS = 2, VALUE_VECTORS = 2, KEY_OFFSET = 0 };
#endif

static inline ivec ivec_set(int32_t x)
{
    return _mm256_set1_epi32(x);
}

static inline ivec ivec_load_all(const void *four_bytes)
{
    return _mm256_set1_epi32(*(const int32_t *)four_bytes);
}

static inline vec vec_from_ivec(ivec a)
{
    return _mm256_cvtepi32_ps(a);
}

static inline vec vec_load_f16(const uint16_t *x)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)x));
}

/** To nearest, in 16 bits. */
static inline void vec_store_i16(int16_t *x, vec a)
{
    __m256i whole = _mm256_cvtps_epi32(a);
    __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
    _mm_storeu_si128((__m128i *)(void *)x, words);
}

/** Whole numbers, in 8 bits. */
static inline void vec_store_i8(int8_t *x, vec a)
{
    int16_t words[LANES];
    vec_store_i16(words, a);
    const __m128i of = _mm_loadu_si128((const __m128i *)(const void *)words);
    _mm_storel_epi64((__m128i *)(void *)x, _mm_packs_epi16(of, of));
}

#ifdef __AVXVNNI__
/** Codes of keys are q + 128, and a sum of their dot products begins with KEY_OFFSET times that of the queries, negated. */
static inline key_codes keys_load(const uint8_t *codes)
{
    return (key_codes){.magnitude = _mm256_loadu_si256((const __m256i *)(const void *)codes)};
}

static inline ivec nibbles_dot(ivec sum, key_codes codes, ivec query)
{
    return _mm256_dpbusd_avx_epi32(sum, codes.magnitude, query);
}

static inline ivec keys_dot(ivec sum, key_codes codes, ivec query)
{
    return nibbles_dot(sum, codes, query);
}

static inline ivec values_dot(ivec sum, value_codes values, ivec weights)
{
    return _mm256_dpwssd_avx_epi32(sum, values, weights);
}
#else
/** Codes of keys are q + 128. Products of bytes are summed by twos in 16 bits, which 255 times 127 would not fit: so of magnitudes. */
static inline key_codes keys_load(const uint8_t *codes)
{
    __m256i q = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(const void *)codes), _mm256_set1_epi8(-128));
    return (key_codes){.of = q, .magnitude = _mm256_abs_epi8(q)};
}

static inline ivec nibbles_dot(ivec sum, key_codes codes, ivec query)
{
    __m256i by_two = _mm256_maddubs_epi16(codes.magnitude, query);
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(by_two, _mm256_set1_epi16(1)));
    __asm__("" : "+x"(sum)); /* or the compiler multiplies all first, and has no registers for that */
    return sum;
}

static inline ivec keys_dot(ivec sum, key_codes codes, ivec query)
{
    return nibbles_dot(sum, codes, _mm256_sign_epi8(query, codes.of));
}

static inline ivec values_dot(ivec sum, value_codes values, ivec weights)
{
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(values, weights));
    __asm__("" : "+x"(sum));
    return sum;
}
#endif

/** Codes of two chunks, q + 8. */
static inline void keys_load_nibbles(const uint8_t *codes, key_codes *low, key_codes *high)
{
    const __m256i both = _mm256_loadu_si256((const __m256i *)(const void *)codes), mask = _mm256_set1_epi8(15);
    low->magnitude = _mm256_and_si256(both, mask);
    high->magnitude = _mm256_and_si256(_mm256_srli_epi16(both, 4), mask);
}

/** Two positions of each lane's value, in 16 bits. */
static inline value_codes values_load(const uint8_t *codes)
{
    return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)codes));
}

/** Two positions and two more. */
static inline void values_load_nibbles(const uint8_t *codes, value_codes *low, value_codes *high)
{
    const __m256i both = values_load(codes);
    *low = _mm256_srai_epi16(_mm256_slli_epi16(both, 12), 12);
    *high = _mm256_srai_epi16(both, 4);
}

#endif
