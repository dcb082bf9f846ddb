/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Row after row: each number is put together of two bytes in integer registers, four vectors
 * are loaded from the grid, signs are masks of the activations, and vpmaddwd scales as it widens.
 */
#define SELF_DIFFERS  "with a grid of our own numbers"
#define KERNEL_ORIGIN "llama.cpp"

#include "micro/families/blocks/blocks_avx2.h"

#define ROW_BY_ROW 1
#include "micro/formats/iq2_s_standin/rows.h"
#include "micro/formats/iq2_s_standin/vectors_avx2.h"

/** Twice the scale and 1 as words: of columns 32 i … in the lower half, of the 16 after them in the upper one. */
ROWS_INLINE __m256i scale_words(const uint8_t *weights)
{
    int64_t bits;
    memcpy(&bits, weights + BLOCK_SCALES, sizeof bits);
    __m128i nibbles = _mm_and_si128(_mm_set_epi64x(bits >> 4, bits), _mm_set1_epi8(15));
    __m256i words = _mm256_cvtepi8_epi16(nibbles);
    return _mm256_add_epi16(_mm256_add_epi16(words, words), _mm256_set1_epi16(1));
}

ROWS_INLINE int64_t vector_of(const uint8_t *weights, int i, int l)
{
    return (int64_t)iq2_s_grid[weights[BLOCK_INDICES + 4 * i + l] | (weights[BLOCK_UPPER + i] << (8 - 2 * l) & 0x300)];
}

/** Words of 32 columns, to be scaled. */
ROWS_INLINE __m256i columns(const uint8_t *weights, int i, const int8_t *a)
{
    __m256i magnitudes = _mm256_setr_epi64x(vector_of(weights, i, 0), vector_of(weights, i, 1),
                                            vector_of(weights, i, 2), vector_of(weights, i, 3));
    return _mm256_maddubs_epi16(magnitudes, with_signs(weights, i, a));
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q8_256 *a)
{
    __m256i scales = scale_words(weights), whole[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        __m256i scale = _mm256_shuffle_epi8(scales, _mm256_set1_epi16((int16_t)(2 * i | (2 * i + 1) << 8)));
        whole[i % 2] = _mm256_add_epi32(whole[i % 2], _mm256_madd_epi16(columns(weights, i, a->q), scale));
    }
    __m256 scale = _mm256_mul_ps(block_scale(weights), _mm256_set1_ps(a->scale * 0.125f));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_add_epi32(whole[0], whole[1])), scale, sum);
}

#include "micro/families/blocks/block_rows.h"
#include "micro/formats/iq2_s_standin/kernel.h"

const struct kernel SELF = IQ2_S_KERNEL(0);

#include "micro/frames/gamma.h"
