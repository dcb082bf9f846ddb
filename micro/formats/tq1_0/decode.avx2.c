/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: bytes times 9 as words have two digits (0 … 8) in the
 * upper byte and the remainder for the next two in the lower one; a shuffle parts a pair, and the fifth digit is the
 * upper byte of 3 times what then remains.
 */
#include "micro/formats/tq1_0/activations.h"

#define BLOCK_ACTIVATIONS struct tq1_0_activations
#define BLOCK_VALUE       tq1_0_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0

ROWS_INLINE __m256i add(__m256i sum, __m256i digits, const int8_t *activations)
{
    return _mm256_add_epi16(sum, _mm256_maddubs_epi16(digits, block_load(activations)));
}

ROWS_INLINE __m256i times(__m256i bytes, int factor)
{
    return _mm256_maddubs_epi16(bytes, _mm256_set1_epi16((int16_t)factor));
}

/** The upper bytes of the words of even bytes and of odd ones, each in its place. */
ROWS_INLINE __m256i join(__m256i even, __m256i odd)
{
    return _mm256_or_si256(_mm256_srli_epi16(even, 8), _mm256_and_si256(odd, _mm256_set1_epi16((int16_t)0xff00)));
}

/** Both digits of pairs. */
ROWS_INLINE __m256i add_pairs(__m256i sum, __m256i pairs, const int8_t *activations)
{
    const __m256i first = _mm256_setr_epi8(0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 0,
                                           0, 0, 0, 0, 0, 0);
    const __m256i second = _mm256_setr_epi8(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 1, 2, 0, 1, 2,
                                            0, 0, 0, 0, 0, 0, 0);
    sum = add(sum, _mm256_shuffle_epi8(first, pairs), activations);
    return add(sum, _mm256_shuffle_epi8(second, pairs), activations + 32);
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct tq1_0_activations *a)
{
    const __m256i powers = _mm256_setr_epi16(1, 1, 1, 1, 3, 3, 3, 3, 9, 9, 9, 9, 27, 27, 27, 27);
    __m256i w = block_load(weights), words = _mm256_setzero_si256();
    __m256i even = times(w, 9), odd = times(w, 9 << 8);
    words = add_pairs(words, join(even, odd), a->ordered);
    even = times(even, 9), odd = times(odd, 9);
    words = add_pairs(words, join(even, odd), a->ordered + 64);
    words = add(words, join(times(even, 3), times(odd, 3)), a->ordered + 128);
    __m256i few = times(_mm256_cvtepu8_epi16(block_load_half(weights + 32)), 9), rest = times(few, 9);
    words = add_pairs(words, join(few, rest), a->ordered + 160);
    __m256i four = times(_mm256_maddubs_epi16(tq1_0_four(weights + 48), powers), 3);
    words = add(words, join(times(rest, 3), four), a->ordered + 224);
    return tq1_0_scale(sum, words, weights, &a->q8);
}

/** The 32 bytes in their order, then digits 0, 2 and 1, 3 of the 16 bytes in turns, then their digit 4 and the four
 * bytes in turns. */
static uint32_t weight_at(uint32_t place)
{
    if (place < 160)
        return place;
    uint32_t digit = place % 2 * 2 + (place - 160) / 32, byte = place % 32 / 2;
    if (place < 224)
        return 160 + 16 * digit + byte;
    return place % 2 ? 240 + byte : 160 + 16 * 4 + byte;
}

#include "micro/families/blocks/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    tq1_0_make(activations, k, prepared, weight_at);
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
    .prepared_bytes_per_step = sizeof(struct tq1_0_activations),
    .prepare = prepare,
    .row = block_row,
};

#include "micro/frames/gamma.h"
