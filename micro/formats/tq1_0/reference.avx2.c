/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Row after row: 3^n b mod 256 by additions and one shift of three bits; of that, less one and not below
 * zero, the rounding average with its own half is three quarters, of which the upper two bits are the digit; 16-bit sums of the block
 * (digits up to 2 reach 4064), three of them.
 */
#define KERNEL_ORIGIN "bitnet-cpp"

#include "micro/families/blocks/blocks_avx2.h"
#include "micro/families/blocks/q8_packed.h"

#define BLOCK_ACTIVATIONS struct q8_256_packed
#define BLOCK_VALUE       q8_256_packed_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        1

ROWS_INLINE __m256i times_3(__m256i bytes)
{
    return _mm256_add_epi8(_mm256_add_epi8(bytes, bytes), bytes);
}

ROWS_INLINE __m256i times_9(__m256i bytes)
{
    __m256i eights = _mm256_and_si256(_mm256_slli_epi16(bytes, 3), _mm256_set1_epi8((char)0xf8));
    return _mm256_add_epi8(eights, bytes);
}

ROWS_INLINE __m128i times_3_of_16(__m128i bytes)
{
    return _mm_add_epi8(_mm_add_epi8(bytes, bytes), bytes);
}

ROWS_INLINE __m128i times_9_of_16(__m128i bytes)
{
    __m128i eights = _mm_and_si128(_mm_slli_epi16(bytes, 3), _mm_set1_epi8((char)0xf8));
    return _mm_add_epi8(eights, bytes);
}

/** Products of the first digits of fractions, added to words. */
ROWS_INLINE __m256i products(__m256i fractions, const int8_t *activations)
{
    __m256i less = _mm256_subs_epu8(fractions, _mm256_set1_epi8(1));
    __m256i quarters = _mm256_avg_epu8(less, _mm256_avg_epu8(less, _mm256_setzero_si256()));
    __m256i digits = _mm256_and_si256(_mm256_srli_epi16(quarters, 6), _mm256_set1_epi8(3));
    return _mm256_maddubs_epi16(digits, block_load(activations));
}

/** Four bytes times 1, 3, 9 and 27, modulo 256: there is no product of bytes. */
ROWS_INLINE __m128i powers_of_four(const uint8_t *at)
{
    const __m256i powers = _mm256_setr_epi16(1, 1, 1, 1, 3, 3, 3, 3, 9, 9, 9, 9, 27, 27, 27, 27);
    int32_t four;
    memcpy(&four, at, sizeof four);
    __m256i words = _mm256_mullo_epi16(_mm256_cvtepu8_epi16(_mm_set1_epi32(four)), powers);
    words = _mm256_and_si256(words, _mm256_set1_epi16(0xff));
    return _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q8_256_packed *a)
{
    __m256i first = block_load(weights), second = times_3(first), third = times_9(first);
    __m256i zero = _mm256_add_epi16(products(first, a->q), products(second, a->q + 32));
    __m256i one = _mm256_add_epi16(products(third, a->q + 64), products(times_9(second), a->q + 96));
    __m256i two = products(times_9(third), a->q + 128);
    __m128i few = block_load_half(weights + 32), few_3 = times_3_of_16(few), few_9 = times_9_of_16(few);
    zero = _mm256_add_epi16(zero, products(_mm256_set_m128i(few_3, few), a->q + 160));
    one = _mm256_add_epi16(one, products(_mm256_set_m128i(times_9_of_16(few_3), few_9), a->q + 192));
    __m128i four = powers_of_four(weights + 48);
    two = _mm256_add_epi16(two, products(_mm256_set_m128i(four, times_9_of_16(few_9)), a->q + 224));
    zero = _mm256_sub_epi16(zero, block_load(a->sums));
    zero = _mm256_add_epi16(zero, _mm256_add_epi16(one, two));
    __m256 scale = _mm256_mul_ps(block_scale(weights + 52), _mm256_set1_ps(a->scale));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(block_widen(zero)), scale, sum);
}

#include "micro/families/blocks/block_rows.h"

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
    .differs = "6% more time than its original from a cache; from memory as long",
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 256,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(struct q8_256_packed),
    .prepare = prepare,
    .row = block_row,
};

#include "micro/frames/gamma.h"
