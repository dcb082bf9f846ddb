/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of up to 16 sums made with 256-bit vectors: prepare() of the look-up kernels.
 */
#ifndef MICRO_FAMILIES_LOOKUP_ELUT_AVX2_H
#define MICRO_FAMILIES_LOOKUP_ELUT_AVX2_H

#include <immintrin.h>
#include <math.h>

#include "micro/quantization/elut.h"

#define TABLE_BUILDER static inline __attribute__((always_inline, unused))

/** What each activation of a group is multiplied with in the 16 sums. */
struct table_coefficients {
    __m256i words[ELUT_GROUP_MOST];
};

/** Of ELUT(C, g), which exists. */
TABLE_BUILDER void table_coefficients_make(uint32_t cardinality, uint32_t group, struct table_coefficients *of)
{
    struct elut elut;
    elut_make(cardinality, group, &elut);
    for (uint32_t i = 0; i < group; i++) {
        _Alignas(32) int16_t words[ELUT_TABLE];
        elut_coefficients(&elut, i, words);
        of->words[i] = _mm256_load_si256((const __m256i *)(const void *)words);
    }
}

/**
 * Of the bits of an index, bit-wise tables: a set bit adds its activation, a clear one counts `clear` (0 or -1) times.
 */
TABLE_BUILDER void table_coefficients_of_bits(int16_t clear, struct table_coefficients *of)
{
    for (uint32_t i = 0; i < ELUT_GROUP_MOST; i++) {
        _Alignas(32) int16_t words[ELUT_TABLE];
        for (uint32_t index = 0; index < ELUT_TABLE; index++)
            words[index] = index >> i & 1 ? 1 : clear;
        of->words[i] = _mm256_load_si256((const __m256i *)(const void *)words);
    }
}

/** The exact sums of one group of int8, |sum| <= 127 * sum of the coefficients, as words in order. */
TABLE_BUILDER __m256i table_sums(const struct table_coefficients *of, uint32_t group, const int8_t *a)
{
    __m256i sums = _mm256_mullo_epi16(of->words[0], _mm256_set1_epi16(a[0]));
    for (uint32_t i = 1; i < group; i++)
        sums = _mm256_add_epi16(sums, _mm256_mullo_epi16(of->words[i], _mm256_set1_epi16(a[i])));
    return sums;
}

/** Every sum less the same. */
TABLE_BUILDER __m256i table_less(__m256i sums, int32_t middle)
{
    return _mm256_sub_epi16(sums, _mm256_set1_epi16((int16_t)middle));
}

/** 16 words each of |x| < 128 to [16] bytes of the first and after them [16] of the second. */
TABLE_BUILDER void table_store_pair(uint8_t *table, __m256i first, __m256i second)
{
    __m256i mixed = _mm256_packs_epi16(first, second); /* of each half; put the quarters in order */
    _mm256_storeu_si256((__m256i *)(void *)table, _mm256_permute4x64_epi64(mixed, 0xd8));
}

/** Low and high bytes, the paper's exact tables: sum = 256 high + low, low unsigned. table[32] */
TABLE_BUILDER void table_store_bytes(uint8_t *table, __m256i sums)
{
    table_store_pair(table, _mm256_srai_epi16(_mm256_slli_epi16(sums, 8), 8), _mm256_srai_epi16(sums, 8));
}

/** High digits of words: sum = base * high + low; see table_store_digits. */
TABLE_BUILDER __m256i table_high_digits(__m256i sums, int base)
{
    return _mm256_mulhrs_epi16(sums, _mm256_set1_epi16((int16_t)((32768 + base / 2) / base)));
}

TABLE_BUILDER __m256i table_low_digits(__m256i sums, __m256i high, int base)
{
    return _mm256_sub_epi16(sums, _mm256_mullo_epi16(high, _mm256_set1_epi16((int16_t)base)));
}

/**
 * Two signed digits that add up as bytes: sum = base * high + low, base odd, |low| <= (base - 1) / 2. With |sum| <= 512
 * the rounding of base's reciprocal to 15 bits is 512 / 2^16 < 1 / (2 base), so vpmulhrsw gives the nearest quotient.
 * table[32]
 */
TABLE_BUILDER void table_store_digits(uint8_t *table, __m256i sums, int base)
{
    __m256i high = table_high_digits(sums, base);
    table_store_pair(table, table_low_digits(sums, high, base), high);
}

/** The same digits with their negatives, which a sign above the index names: [32] low, [32] high. table[64] */
TABLE_BUILDER void table_store_signed_digits(uint8_t *table, __m256i sums, int base)
{
    __m256i high = table_high_digits(sums, base), low = table_low_digits(sums, high, base);
    table_store_pair(table, low, _mm256_sub_epi16(_mm256_setzero_si256(), low));
    table_store_pair(table + 32, high, _mm256_sub_epi16(_mm256_setzero_si256(), high));
}

/** Largest |sum| of the groups of floats where every coefficient is -1, 0 or 1. count a multiple of group */
TABLE_BUILDER float table_largest(const float *a, size_t count, uint32_t group)
{
    float most = 0;
    for (size_t i = 0; i < count; i += group) {
        float sum = 0;
        for (uint32_t j = 0; j < group; j++)
            sum += fabsf(a[i + j]);
        most = sum > most ? sum : most;
    }
    return most;
}

/** 8 sums of floats times a factor, rounded to nearest even; half: the lower or upper 8 of the 16. */
TABLE_BUILDER __m256i table_rounded(const struct table_coefficients *of, uint32_t group, const float *a, __m256 factor,
                                    int half)
{
    __m256 sums = _mm256_setzero_ps();
    for (uint32_t i = 0; i < group; i++) {
        __m128i words = half ? _mm256_extracti128_si256(of->words[i], 1) : _mm256_castsi256_si128(of->words[i]);
        sums = _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(words)), _mm256_set1_ps(a[i]), sums);
    }
    return _mm256_cvtps_epi32(_mm256_mul_ps(sums, factor));
}

/** The quantized sums of one group of floats: table[16] of int8. */
TABLE_BUILDER void table_store_quantized(uint8_t *table, const struct table_coefficients *of, uint32_t group,
                                         const float *a, float factor)
{
    __m256 factors = _mm256_set1_ps(factor);
    __m256i words =
        _mm256_packs_epi32(table_rounded(of, group, a, factors, 0), table_rounded(of, group, a, factors, 1));
    words = _mm256_permute4x64_epi64(words, 0xd8);
    __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    _mm_storeu_si128((__m128i *)(void *)table, bytes);
}

#endif
