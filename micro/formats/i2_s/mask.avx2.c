/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: fields stay where they are, one shift of a block brings all to weight 1 or 4, each weight has its 16-bit sums, and vpmaddwd by
 * 4 and by 1 joins them every 4 blocks (codes up to 3 reach 24384). Four times the sum comes out. 4 shifts, 16 ANDs, 16 vpmaddubsw, 14 vpaddw, 4 to join
 * and widen: 54 vector uops for 16 output vectors. Golden Cove: 22 on p01, the rest p015: 54 / 3 >= 1.13. Zen 3: multiplies 18 on FP03: 54 / 4 >= 0.84.
 */
#include <immintrin.h>

#include "micro/frames/rows.h"

extern const struct format SELF_FORMAT;

enum { BLOCKS_TOGETHER = 4 };

struct words {
    __m256i ones, fours; /* sums of weight 1 and 4 */
};

ROWS_INLINE void add_fields(struct words *sum, __m256i weights, const int8_t *of_ones, const int8_t *of_fours)
{
    __m256i one = _mm256_and_si256(weights, _mm256_set1_epi8(0x03));
    __m256i four = _mm256_and_si256(weights, _mm256_set1_epi8(0x0c));
    one = _mm256_maddubs_epi16(one, _mm256_loadu_si256((const __m256i *)(const void *)of_ones));
    four = _mm256_maddubs_epi16(four, _mm256_loadu_si256((const __m256i *)(const void *)of_fours));
    sum->ones = _mm256_add_epi16(sum->ones, one);
    sum->fours = _mm256_add_epi16(sum->fours, four);
    ROWS_IN_REGISTER(sum->ones);
    ROWS_IN_REGISTER(sum->fours);
}

ROWS_INLINE __m256i load(const uint8_t *block)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)block);
}

ROWS_INLINE void add_block(struct words *sum, __m256i weights, const int8_t *activations)
{
    add_fields(sum, weights, activations + 96, activations + 64);
    add_fields(sum, _mm256_srli_epi16(weights, 4), activations + 32, activations);
}

/** Four times the sum. */
ROWS_INLINE __m256i join(struct words sum)
{
    return _mm256_add_epi32(_mm256_madd_epi16(sum.ones, _mm256_set1_epi16(4)),
                            _mm256_madd_epi16(sum.fours, _mm256_set1_epi16(1)));
}

/** `blocks` blocks, a constant up to BLOCKS_TOGETHER: four times their sum. */
ROWS_INLINE __m256i multiply(const uint8_t *weights, const int8_t *activations, int blocks)
{
    struct words sum = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    ROWS_READ_AGAIN(activations);
#pragma GCC unroll 4
    for (int block = 0; block < blocks; block++)
        add_block(&sum, load(weights + block * STEP_BYTES), activations + block * STEP_COLUMNS);
    return join(sum);
}

ROWS_INLINE int32_t row_sum(__m256i sum)
{
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1)));
}

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *row, int count)
{
    __m256i sum[ROWS_TOGETHER];
    size_t block = 0;
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = _mm256_setzero_si256();
    for (; block + BLOCKS_TOGETHER <= slice->steps; block += BLOCKS_TOGETHER) {
#pragma GCC unroll 4
        for (int r = 0; r < count; r++) {
            const uint8_t *w = weights[r] + block * STEP_BYTES;
            rows_prefetch(w, BLOCKS_TOGETHER * STEP_BYTES, slice->prefetch_bytes);
            sum[r] = _mm256_add_epi32(sum[r], multiply(w, slice->activations + block * STEP_COLUMNS, BLOCKS_TOGETHER));
        }
    }
    for (; block < slice->steps; block++) {
#pragma GCC unroll 4
        for (int r = 0; r < count; r++)
            sum[r] = _mm256_add_epi32(
                sum[r], multiply(weights[r] + block * STEP_BYTES, slice->activations + block * STEP_COLUMNS, 1));
    }
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        slice->out[row[r]] = add_wrapping(row_sum(sum[r]) >> 2, slice->correction);
}

ROWS_GEMV

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 2048,
    .lossless = true,
    .gemv = gemv,
};

/* its gamma; with four sums beside them the weights of a step would be more than 16 registers hold */
struct step_activations {
    int8_t of[BLOCKS_TOGETHER * STEP_COLUMNS];
};

#define STEP_SUM          __m256i
#define STEP_ACTIVATIONS  struct step_activations
#define STEP_LARGEST      127
#define STEP_ROWS         ROWS
#define STEPS_TOGETHER    BLOCKS_TOGETHER
#define STEP_ACCUMULATORS 2
#define step_zero         _mm256_setzero_si256
#define STEP_WEIGHTS(register_of)                                                                                      \
    register_of(0, __m256i, first) register_of(1, __m256i, second) register_of(2, __m256i, third)                      \
        register_of(3, __m256i, fourth)
#include "micro/frames/step.h"

ROWS_INLINE struct step_weights step_load(const uint8_t *weights)
{
    return (struct step_weights){load(weights), load(weights + STEP_BYTES), load(weights + 2 * STEP_BYTES),
                                 load(weights + 3 * STEP_BYTES)};
}

ROWS_INLINE __m256i step_add(__m256i sum, struct step_weights weights, const struct step_activations *activations)
{
    struct words words = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    add_block(&words, weights.first, activations->of);
    add_block(&words, weights.second, activations->of + STEP_COLUMNS);
    add_block(&words, weights.third, activations->of + 2 * STEP_COLUMNS);
    add_block(&words, weights.fourth, activations->of + 3 * STEP_COLUMNS);
    return _mm256_add_epi32(sum, join(words));
}

ROWS_INLINE void step_finish(int32_t *rows, __m256i sum)
{
    rows[0] = row_sum(sum) >> 2;
}

#include "micro/frames/gamma.h"
