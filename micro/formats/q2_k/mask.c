/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows as they are stored with 256 bits, four rows side by side; AVX2: vpmaddwd applies the scales of groups, AVX-VNNI: vpdpwssd, which
 * adds, too. Fields stay where they are, one shift of 32 bytes brings all to weight 1 or 4, and each weight has its own sum (16-bit products reach
 * 762 and 3048, and their products with a scale have 32 bits), so that of 6 shifts of a block 2 are left. Four times the sum meets a quarter of
 * the scale.
 *
 * 52 uops of a block are 13 cycles of four pipes, 1.63 per output vector: 6.4 bytes a cycle at most. Sums of vpdpbusd that two fields pack to words, as
 * blocks4.c does it, would be 30 for the codes instead of 34, and minima and scales of four rows at once 10 instead of 18: 1.25 by
 * count, not built, 0.8 of what one core of Zen 5 reads. Panels of 16 rows take 0.76 (q2_k_m16).
 */
#include "micro/families/blocks/blocks_avx2.h"
#include "micro/families/group_scales/scaled_words_256.h"

#define BLOCK_ACTIVATIONS struct q8_256
#define BLOCK_VALUE       q8_256_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0

/** Words: the scale of group 2 pair in the lower half, of 2 pair + 1 in the upper one. */
ROWS_INLINE __m256i spread(__m256i scales, int pair)
{
    return _mm256_shuffle_epi8(scales, _mm256_setr_m128i(_mm_set1_epi16((int16_t)(0x8000 | 2 * pair)),
                                                         _mm_set1_epi16((int16_t)(0x8000 | (2 * pair + 1)))));
}

/** Fields `number` and `number` + 1, at bits 1:0 and 3:2 of the codes. */
ROWS_INLINE void add_fields(__m256i *ones, __m256i *fours, __m256i codes, __m256i scales, int number, const int8_t *a)
{
    __m256i one = _mm256_maddubs_epi16(_mm256_and_si256(codes, _mm256_set1_epi8(0x03)), block_load(a + 32 * number));
    __m256i four =
        _mm256_maddubs_epi16(_mm256_and_si256(codes, _mm256_set1_epi8(0x0c)), block_load(a + 32 * number + 32));
    *ones = scaled_words(*ones, one, spread(scales, number));
    *fours = scaled_words(*fours, four, spread(scales, number + 1));
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q8_256 *a)
{
    __m128i groups = block_load_half(weights);
    __m256i scales = _mm256_broadcastsi128_si256(_mm_and_si128(groups, _mm_set1_epi8(15)));
    __m256i minima = _mm256_cvtepu8_epi16(_mm_and_si128(_mm_srli_epi16(groups, 4), _mm_set1_epi8(15)));
    minima = _mm256_madd_epi16(minima, block_load(a->sums));
    __m256i ones = _mm256_setzero_si256(), fours = _mm256_setzero_si256();
    for (int half = 0; half < 2; half++) {
        __m256i codes = block_load(weights + 16 + 32 * half);
        add_fields(&ones, &fours, codes, scales, 4 * half, a->q);
        add_fields(&ones, &fours, _mm256_srli_epi16(codes, 4), scales, 4 * half + 2, a->q);
    }
    __m256i whole = _mm256_add_epi32(_mm256_slli_epi32(ones, 2), fours);
    __m256 scale = _mm256_set1_ps(a->scale);
    __m256 step = _mm256_mul_ps(block_scale(weights + 80), _mm256_set1_ps(a->scale * 0.25f));
    __m256 minimum = _mm256_mul_ps(block_scale(weights + 82), scale);
    sum = _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), step, sum);
    return _mm256_fnmadd_ps(_mm256_cvtepi32_ps(minima), minimum, sum);
}

#include "micro/families/blocks/block_rows.h"
#include "micro/formats/q2_k/row.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_256_make(activations, k, prepared);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .prefetch_bytes = 2048,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 128,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(struct q8_256),
    .prepare = prepare,
    .row = minima_row,
};

#include "micro/frames/gamma.h"
