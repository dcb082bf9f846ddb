/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sequence tq1_0.mulhi.avx2, row after row: digit n of a byte b is the upper half of (b 3^n mod 256) 256 times 3,
 * in words of the even and the odd bytes, joined by a pack; 16-bit sums of the block (digits up to 2 reach 4064).
 */
#include "micro/kernels/tq1_0/activations.h"
#include "micro/kernels/tq1_0/layout.h"

#define BLOCK_ACTIVATIONS struct tq1_0_activations
#define BLOCK_VALUE       tq1_0_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        1

ROWS_INLINE __m256i add(__m256i sum, __m256i digits, const int8_t *activations)
{
    return _mm256_add_epi16(sum, _mm256_maddubs_epi16(digits, block_load(activations)));
}

/** Digit n of the bytes in words; power: 3^n. */
ROWS_INLINE __m256i digit(__m256i bytes, int power)
{
    return _mm256_mulhi_epu16(_mm256_mullo_epi16(bytes, _mm256_set1_epi16((int16_t)(power << 8))),
                              _mm256_set1_epi16(3));
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct tq1_0_activations *a)
{
    static const int powers[] = {1, 3, 9, 27, 81};
    const __m256i powers_of_four =
        _mm256_setr_epi16(256, 256, 256, 256, 768, 768, 768, 768, 2304, 2304, 2304, 2304, 6912, 6912, 6912, 6912);
    __m256i w = block_load(weights), words = _mm256_setzero_si256();
    __m256i even = _mm256_and_si256(w, _mm256_set1_epi16(0xff)), odd = _mm256_srli_epi16(w, 8);
    for (int n = 0; n < 5; n++)
        words = add(words, _mm256_packus_epi16(digit(even, powers[n]), digit(odd, powers[n])), a->ordered + 32 * n);
    __m256i few = _mm256_cvtepu8_epi16(block_load_half(weights + 32));
    __m256i four = _mm256_mullo_epi16(tq1_0_four(weights + 48), powers_of_four);
    four = _mm256_mulhi_epu16(four, _mm256_set1_epi16(3));
    words = add(words, _mm256_packus_epi16(digit(few, 1), digit(few, 3)), a->ordered + 160);
    words = add(words, _mm256_packus_epi16(digit(few, 9), digit(few, 27)), a->ordered + 192);
    words = add(words, _mm256_packus_epi16(digit(few, 81), four), a->ordered + 224);
    return tq1_0_scale(sum, words, weights, &a->q8);
}

/** Each half of a register has 8 words of the one and 8 of the other operand of a pack. */
static uint32_t weight_at(uint32_t place)
{
    uint32_t half = place % 32 / 16, other = place % 16 / 8, word = place % 8;
    if (place < 160)
        return place / 32 * 32 + 16 * half + 2 * word + other;
    if (place >= 224 && other)
        return 240 + 8 * half + word;
    return 160 + ((place - 160) / 32 * 2 + other) * 16 + 8 * half + word;
}

#include "micro/kernels/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    tq1_0_make(activations, k, prepared, weight_at);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "bitnet-cpp",
    .gamma = "tq1_0.mulhi.avx2",
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 256,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(struct tq1_0_activations),
    .prepare = prepare,
    .row = block_row,
};
