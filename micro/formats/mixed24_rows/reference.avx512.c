/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 16 columns at a time, as Algorithm 1 does: a double word is broadcast and shifted by another distance in each lane. Of a group of
 * 2 bits vpermilps makes codes of floats, and a multiply-subtract weights; of the group of 4 bits vpermps takes them from a table.
 * Its uops are those of mixed24.fused.avx512, 8 and 8.3 of arithmetic an output vector, but loads bound it: 16 a step of 2 vectors, 8 of them of
 * scales and 4 of codes, where an order whose lanes are rows broadcasts 64 activations to 32 vectors. Zen 5 takes 5 cycles a vector.
 */
#define KERNEL_ORIGIN "mixed-2-4-16"
#include <immintrin.h>
#include <string.h>

#include "micro/families/blocks/blocks_avx2.h"
#include "micro/quantization/mixed24_rows_layout.h"

#define LANES 16

struct sums {
    __m512 of[4]; /* of a group each */
};

ROWS_INLINE struct sums row_zero(void)
{
    __m512 zero = _mm512_setzero_ps();
    return (struct sums){{zero, zero, zero, zero}};
}

ROWS_INLINE float row_total(struct sums sums)
{
    __m512 sum = _mm512_add_ps(_mm512_add_ps(sums.of[0], sums.of[1]), _mm512_add_ps(sums.of[2], sums.of[3]));
    return block_lanes_sum(_mm256_add_ps(_mm512_castps512_ps256(sum), _mm512_extractf32x8_ps(sum, 1)));
}

ROWS_INLINE __m512 digits(void)
{
    return _mm512_broadcast_f32x4(_mm_setr_ps(0, 1, 2, 3));
}

ROWS_INLINE __m512i in_each_step(int group0, int group1, int group2, int group3)
{
    return _mm512_broadcast_i32x4(_mm_setr_epi32(group0, group1, group2, group3));
}

/** A word a step, spread over its four lanes. */
ROWS_INLINE void dequantize_scales(const uint8_t *words, const uint8_t *scale2, const uint8_t *zero2, float *scales,
                                   float *products)
{
    const __m512i spread = _mm512_setr_epi32(0x01000100, 0x01000100, 0x01000100, 0x01000100, 0x03020302, 0x03020302,
                                             0x03020302, 0x03020302, 0x05040504, 0x05040504, 0x05040504, 0x05040504,
                                             0x07060706, 0x07060706, 0x07060706, 0x07060706);
    long long four;
    memcpy(&four, words, sizeof four);
    __m512i word = _mm512_shuffle_epi8(_mm512_set1_epi64(four), spread);
    __m512 factor = _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)scale2));
    __m512 second = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(const void *)zero2)));
    __m512i code =
        _mm512_srlv_epi32(word, in_each_step(MIXED24_SCALE_SHIFT_0, MIXED24_SCALE_SHIFT_1, MIXED24_SCALE_SHIFT_2, 0));
    __m512 first = _mm512_cvtepi32_ps(_mm512_and_si512(code, in_each_step(15, 7, 7, 0)));
    __m512 scale = _mm512_mul_ps(_mm512_sub_ps(first, second), factor);
    __m512 zero = _mm512_permutevar_ps(digits(), _mm512_srlv_epi32(word, in_each_step(0, 2, 4, 0)));
    _mm512_store_ps(scales, scale);
    _mm512_store_ps(products, _mm512_mask_mul_ps(factor, 0x7777, zero, scale));
}

ROWS_INLINE __m512i broadcast(const uint8_t *bytes)
{
    int word;
    memcpy(&word, bytes, sizeof word);
    return _mm512_set1_epi32(word);
}

ROWS_INLINE struct sums add_step(struct sums sums, const uint8_t *piece, const uint8_t *half, const float *scale,
                                 const float *product, const float *a)
{
    const __m512i pairs = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i nibbles = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28);
    const __m512 codes = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#pragma GCC unroll 3
    for (int g = 0; g < 3; g++) {
        __m512 code = _mm512_permutevar_ps(digits(), _mm512_srlv_epi32(broadcast(piece + 4 * g), pairs));
        __m512 weight = _mm512_fmsub_ps(code, _mm512_set1_ps(scale[g]), _mm512_set1_ps(product[g]));
        sums.of[g] = _mm512_fmadd_ps(weight, _mm512_loadu_ps(a + 16 * g), sums.of[g]);
    }
    __m512 table = _mm512_fmadd_ps(codes, _mm512_set1_ps(product[3]), _mm512_set1_ps(scale[3]));
    __m512i fours = _mm512_mask_mov_epi32(broadcast(piece + 12), 0xff00, broadcast(half));
    __m512 weight = _mm512_permutexvar_ps(_mm512_srlv_epi32(fours, nibbles), table);
    sums.of[3] = _mm512_fmadd_ps(weight, _mm512_loadu_ps(a + 48), sums.of[3]);
    return sums;
}

#include "micro/formats/mixed24_rows/reference.h"
#include "micro/frames/gamma.h"
