/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Row after row: shift and mask each field, spread the scales of its two groups over
 * words, and let vpmaddwd apply them as it widens; the minima meet the sums of the activations.
 */
#define KERNEL_ORIGIN "llama.cpp"

#include "micro/families/blocks/blocks_avx2.h"
#include "micro/families/blocks/q8_packed.h"

#define BLOCK_ACTIVATIONS struct q8_256_packed
#define BLOCK_VALUE       q8_256_packed_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        1

#define TWO(word)   2 * (word), 2 * (word) + 1
#define EIGHT(word) TWO(word), TWO(word), TWO(word), TWO(word), TWO(word), TWO(word), TWO(word), TWO(word)

/** In memory, or the compiler would make them again for every row. */
static const _Alignas(32) uint8_t spreads[4][32] = {
    {EIGHT(0), EIGHT(1)}, {EIGHT(2), EIGHT(3)}, {EIGHT(4), EIGHT(5)}, {EIGHT(6), EIGHT(7)}};

/** Codes of 32 columns: scales has words of eight groups in each half, of which two are these columns'. */
ROWS_INLINE __m256i field(__m256i codes, __m256i scales, int number, const int8_t *a)
{
    __m256i code = _mm256_and_si256(_mm256_srli_epi16(codes, 2 * number), _mm256_set1_epi8(3));
    __m256i words = _mm256_maddubs_epi16(code, block_load(a + 32 * number));
    return _mm256_madd_epi16(words, _mm256_shuffle_epi8(scales, block_load(spreads[number])));
}

ROWS_INLINE __m256i columns(__m256i codes, __m256i scales, const int8_t *a)
{
    return _mm256_add_epi32(_mm256_add_epi32(field(codes, scales, 0, a), field(codes, scales, 1, a)),
                            _mm256_add_epi32(field(codes, scales, 2, a), field(codes, scales, 3, a)));
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q8_256_packed *a)
{
    __m128i groups = block_load_half(weights);
    __m256i minima = _mm256_cvtepi8_epi16(_mm_and_si128(_mm_srli_epi16(groups, 4), _mm_set1_epi8(15)));
    minima = _mm256_madd_epi16(minima, block_load(a->sums));
    __m256 scale = _mm256_set1_ps(a->scale), minimum = _mm256_mul_ps(block_scale(weights + BLOCK_DMIN), scale);
    sum = _mm256_fnmadd_ps(_mm256_cvtepi32_ps(minima), minimum, sum);
    __m256i scales = _mm256_cvtepi8_epi16(_mm_and_si128(groups, _mm_set1_epi8(15)));
    __m128i low = _mm256_castsi256_si128(scales), high = _mm256_extracti128_si256(scales, 1);
    __m256i whole = columns(block_load(weights + BLOCK_CODES), _mm256_set_m128i(low, low), a->q);
    whole = _mm256_add_epi32(whole,
                             columns(block_load(weights + BLOCK_CODES + 32), _mm256_set_m128i(high, high), a->q + 128));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), _mm256_mul_ps(block_scale(weights + BLOCK_D), scale), sum);
}

#include "micro/families/blocks/block_rows.h"
#define Q2_K_ACTIVATION(prepared, column) q8_256_packed_value(prepared, column)
#include "micro/formats/q2_k/row.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_256_packed_make(activations, k, prepared);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .differs = "17% less time than its original from memory; from a cache as long",
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 128,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(struct q8_256_packed),
    .prepare = prepare,
    .row = minima_row,
};

#include "micro/frames/gamma.h"
