/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: fields stay where they are, one shift of 32 bytes brings
 * all to weight 1 or 4, each weight has its 16-bit sums (codes up to 3 reach 3048 and 12192 a block), and vpmaddwd by 4
 * and by 1 joins them. Four times the sum meets a quarter of the scale.
 */
#include "micro/families/blocks/blocks_avx2.h"

#define BLOCK_ACTIVATIONS struct q8_256
#define BLOCK_VALUE       q8_256_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0

struct words {
    __m256i ones, fours; /* sums of weight 1 and 4 */
};

ROWS_INLINE void add_fields(struct words *sum, __m256i weights, const int8_t *activations)
{
    __m256i one = _mm256_and_si256(weights, _mm256_set1_epi8(0x03));
    __m256i four = _mm256_and_si256(weights, _mm256_set1_epi8(0x0c));
    sum->ones = _mm256_add_epi16(sum->ones, _mm256_maddubs_epi16(one, block_load(activations)));
    sum->fours = _mm256_add_epi16(sum->fours, _mm256_maddubs_epi16(four, block_load(activations + 32)));
    ROWS_IN_REGISTER(sum->ones);
    ROWS_IN_REGISTER(sum->fours);
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q8_256 *a)
{
    const int8_t *q = a->q;
    ROWS_READ_AGAIN(q);
    __m256i low = block_load(weights), high = block_load(weights + 32);
    struct words words = {_mm256_sub_epi16(_mm256_setzero_si256(), block_load(a->sums)), _mm256_setzero_si256()};
    add_fields(&words, low, q);
    add_fields(&words, _mm256_srli_epi16(low, 4), q + 64);
    add_fields(&words, high, q + 128);
    add_fields(&words, _mm256_srli_epi16(high, 4), q + 192);
    __m256i whole = _mm256_add_epi32(_mm256_madd_epi16(words.ones, _mm256_set1_epi16(4)), block_widen(words.fours));
    __m256 scale = _mm256_mul_ps(block_scale(weights + 64), _mm256_set1_ps(a->scale * 0.25f));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), scale, sum);
}

#include "micro/families/blocks/block_rows.h"

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
    .float_sums = 256,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(struct q8_256),
    .prepare = prepare,
    .row = block_row,
};

#include "micro/frames/gamma.h"
