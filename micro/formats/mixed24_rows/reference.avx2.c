/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 8 columns at a time, as Algorithm 1 does: a double word is broadcast and shifted by another distance in each lane. Of a group of
 * 2 bits vpermilps makes codes of floats, of the group of 4 bits a mask and a conversion; a multiply-subtract makes weights.
 */
#define KERNEL_ORIGIN "mixed-2-4-16"
#include <immintrin.h>
#include <string.h>

#include "micro/families/blocks/blocks_avx2.h"
#include "micro/quantization/mixed24_rows_layout.h"

#define LANES 8

struct sums {
    __m256 of[4]; /* of a group each */
};

ROWS_INLINE struct sums row_zero(void)
{
    __m256 zero = _mm256_setzero_ps();
    return (struct sums){{zero, zero, zero, zero}};
}

ROWS_INLINE float row_total(struct sums sums)
{
    return block_lanes_sum(_mm256_add_ps(_mm256_add_ps(sums.of[0], sums.of[1]), _mm256_add_ps(sums.of[2], sums.of[3])));
}

ROWS_INLINE __m256 digits(void)
{
    return _mm256_setr_ps(0, 1, 2, 3, 0, 1, 2, 3);
}

ROWS_INLINE __m256i in_each_step(int group0, int group1, int group2, int group3)
{
    return _mm256_setr_epi32(group0, group1, group2, group3, group0, group1, group2, group3);
}

ROWS_INLINE __m256i broadcast(const uint8_t *bytes)
{
    int word;
    memcpy(&word, bytes, sizeof word);
    return _mm256_set1_epi32(word);
}

/** A word a step, spread over its four lanes. */
ROWS_INLINE void dequantize_scales(const uint8_t *words, const uint8_t *scale2, const uint8_t *zero2, float *scales,
                                   float *products)
{
    const __m256i spread = _mm256_setr_epi32(0x01000100, 0x01000100, 0x01000100, 0x01000100, 0x03020302, 0x03020302,
                                             0x03020302, 0x03020302);
    __m256i word = _mm256_shuffle_epi8(broadcast(words), spread);
    __m256 factor = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)scale2));
    __m256 second = _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)zero2)));
    __m256i code =
        _mm256_srlv_epi32(word, in_each_step(MIXED24_SCALE_SHIFT_0, MIXED24_SCALE_SHIFT_1, MIXED24_SCALE_SHIFT_2, 0));
    __m256 first = _mm256_cvtepi32_ps(_mm256_and_si256(code, in_each_step(15, 7, 7, 0)));
    __m256 scale = _mm256_mul_ps(_mm256_sub_ps(first, second), factor);
    __m256 zero = _mm256_permutevar_ps(digits(), _mm256_srlv_epi32(word, in_each_step(0, 2, 4, 0)));
    _mm256_store_ps(scales, scale);
    _mm256_store_ps(products, _mm256_blend_ps(_mm256_mul_ps(zero, scale), factor, 0x88));
}

ROWS_INLINE struct sums add_step(struct sums sums, const uint8_t *piece, const uint8_t *half, const float *scale,
                                 const float *product, const float *a)
{
    const __m256i pairs = _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14), nibbles = _mm256_slli_epi32(pairs, 1);
    const __m256i upper = _mm256_setr_epi32(16, 18, 20, 22, 24, 26, 28, 30);
#pragma GCC unroll 3
    for (int g = 0; g < 3; g++) {
        __m256i codes = broadcast(piece + 4 * g);
        __m256 s = _mm256_set1_ps(scale[g]), p = _mm256_set1_ps(product[g]);
        __m256 low = _mm256_permutevar_ps(digits(), _mm256_srlv_epi32(codes, pairs));
        __m256 high = _mm256_permutevar_ps(digits(), _mm256_srlv_epi32(codes, upper));
        sums.of[g] = _mm256_fmadd_ps(_mm256_fmsub_ps(low, s, p), _mm256_loadu_ps(a + 16 * g), sums.of[g]);
        sums.of[g] = _mm256_fmadd_ps(_mm256_fmsub_ps(high, s, p), _mm256_loadu_ps(a + 16 * g + 8), sums.of[g]);
    }
    __m256 s = _mm256_set1_ps(product[3]), p = _mm256_set1_ps(scale[3]);
    __m256i low = _mm256_and_si256(_mm256_srlv_epi32(broadcast(piece + 12), nibbles), _mm256_set1_epi32(15));
    __m256i high = _mm256_and_si256(_mm256_srlv_epi32(broadcast(half), nibbles), _mm256_set1_epi32(15));
    sums.of[3] = _mm256_fmadd_ps(_mm256_fmadd_ps(_mm256_cvtepi32_ps(low), s, p), _mm256_loadu_ps(a + 48), sums.of[3]);
    sums.of[3] = _mm256_fmadd_ps(_mm256_fmadd_ps(_mm256_cvtepi32_ps(high), s, p), _mm256_loadu_ps(a + 56), sums.of[3]);
    return sums;
}

#include "micro/formats/mixed24_rows/reference.h"
#include "micro/frames/gamma.h"
