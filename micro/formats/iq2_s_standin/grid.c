/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows as they are stored with 256 bits, four rows side by side. The numbers of 16 vectors of eight are put together in a register and loaded from
 * the grid, 8 KB that the first-level cache holds, one by one: with gathers of four it takes 1.6 times as long on Zen 5. The activations take the
 * signs, a mask from one bit a weight. A product of magnitudes reaches 2 x 43 x 127, a word; AVX2: vpmaddwd applies the scales of groups, AVX-VNNI:
 * vpdpwssd, which adds, too. Look-ups in memory are what [arm-kernels-codebooks, 6.4] holds against such formats: four of eight bytes for 32
 * weights, where a codebook in a register takes one shuffle.
 */
#include "micro/families/blocks/blocks_avx2.h"
#include "micro/families/group_scales/scaled_words_256.h"
#include "micro/formats/iq2_s_standin/rows.h"
#include "micro/formats/iq2_s_standin/vectors_avx2.h"

/** Words: twice the scale and 1, of the first 16 columns in the lower half, of the others in the upper one. */
ROWS_INLINE __m256i spread(__m256i scales, int i)
{
    return _mm256_shuffle_epi8(scales, _mm256_setr_m128i(_mm_set1_epi16((int16_t)(0x8000 | 2 * i)),
                                                         _mm_set1_epi16((int16_t)(0x8000 | (2 * i + 1)))));
}

/** Columns 32 i … of a block, of four numbers, onto its sums. */
ROWS_INLINE __m256i add_columns(__m256i whole, uint64_t numbers, const uint8_t *weights, __m256i scales, int i,
                                const int8_t *a)
{
    __m256i words = _mm256_maddubs_epi16(four_vectors(numbers), with_signs(weights, i, a));
    return scaled_words(whole, words, spread(scales, i));
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q8_256 *a)
{
    __m256i scales = _mm256_broadcastsi128_si256(group_scales(weights));
    __m256i whole = _mm256_setzero_si256();
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
        __m256i number = numbers(weights, half);
        __m128i low = _mm256_castsi256_si128(number), high = _mm256_extracti128_si256(number, 1);
        const int i = 4 * half;
        whole = add_columns(whole, (uint64_t)_mm_cvtsi128_si64(low), weights, scales, i, a->q);
        whole = add_columns(whole, (uint64_t)_mm_extract_epi64(low, 1), weights, scales, i + 1, a->q);
        whole = add_columns(whole, (uint64_t)_mm_cvtsi128_si64(high), weights, scales, i + 2, a->q);
        whole = add_columns(whole, (uint64_t)_mm_extract_epi64(high, 1), weights, scales, i + 3, a->q);
    }
    __m256 scale = _mm256_mul_ps(block_scale(weights), _mm256_set1_ps(a->scale * 0.125f));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), scale, sum);
}

#include "micro/families/blocks/block_rows.h"
#include "micro/formats/iq2_s_standin/kernel.h"

const struct kernel SELF = IQ2_S_KERNEL(2048);

#include "micro/frames/gamma.h"
