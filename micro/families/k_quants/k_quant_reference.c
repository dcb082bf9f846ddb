/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q4_K and Q5_K as llama.cpp multiplies them on AVX2: a block of one row at a time, row after row, nothing prefetched. Scales and minima are
 * unpacked in four 32-bit registers and widened to words; codes, activations and scales meet as in k_quant_rows.c. Sums of 32 activations
 * are added up from those of 16 for every row; minima have sums of their own, four lanes of Q4_K, and of Q5_K one float that each block's
 * lanes are added to; a fifth bit is masked, shifted down and shifted up.
 */
#define KERNEL_ORIGIN "llama.cpp"

#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/frames/rows.h"

/* sums of a row */
typedef struct {
    __m256 steps;
    __m128 minima; /* of Q5_K the first lane */
} block_floats;

ROWS_INLINE block_floats block_zero(void)
{
    return (block_floats){_mm256_setzero_ps(), _mm_setzero_ps()};
}

ROWS_INLINE float row_total(block_floats sum)
{
    __m128 half = _mm_add_ps(_mm256_castps256_ps128(sum.steps), _mm256_extractf128_ps(sum.steps, 1));
    half = _mm_add_ps(half, sum.minima);
    half = _mm_add_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
}

#define BLOCK_ACTIVATIONS            struct q8_256
#define BLOCK_VALUE                  q8_256_value
#define BLOCKS_TOGETHER              1
#define ROW_BY_ROW                   1
#define BLOCK_FLOATS                 "micro/frames/rows.h" /* they are above */
#define BLOCK_STORE(out, panel, sum) ((out)[panel] = row_total(sum))

/** Words: scales of the eight groups, then their minima. */
ROWS_INLINE __m256i group_words(const uint8_t *scales)
{
    const uint32_t four = 0x0f0f0f0f, six = 0x3f3f3f3f, two = 0x03030303;
    uint32_t first, second, third;
    memcpy(&first, scales, sizeof first);
    memcpy(&second, scales + 4, sizeof second);
    memcpy(&third, scales + 8, sizeof third);
    uint32_t scale = (third & four) | (first >> 6 & two) << 4, minimum = (third >> 4 & four) | (second >> 6 & two) << 4;
    return _mm256_cvtepu8_epi16(
        _mm_set_epi32((int32_t)minimum, (int32_t)(second & six), (int32_t)scale, (int32_t)(first & six)));
}

#define EIGHT_WORDS(at) at, at + 1, at, at + 1, at, at + 1, at, at + 1, at, at + 1, at, at + 1, at, at + 1, at, at + 1

/** In memory, or the compiler would make the eight of them again for every row. */
static const _Alignas(32) uint8_t spreads[8][32] = {
    {EIGHT_WORDS(0), EIGHT_WORDS(0)},   {EIGHT_WORDS(2), EIGHT_WORDS(2)},   {EIGHT_WORDS(4), EIGHT_WORDS(4)},
    {EIGHT_WORDS(6), EIGHT_WORDS(6)},   {EIGHT_WORDS(8), EIGHT_WORDS(8)},   {EIGHT_WORDS(10), EIGHT_WORDS(10)},
    {EIGHT_WORDS(12), EIGHT_WORDS(12)}, {EIGHT_WORDS(14), EIGHT_WORDS(14)},
};

ROWS_INLINE __m256i load(const void *at)
{
    return _mm256_loadu_si256(at);
}

ROWS_INLINE __m256i scaled(__m256i codes, __m256i scales, int group, const int8_t *a)
{
    __m256i spread = _mm256_shuffle_epi8(scales, load(spreads[group]));
    return _mm256_madd_epi16(spread, _mm256_maddubs_epi16(codes, load(a + 32 * group)));
}

#if K_QUANT_BITS == 5
ROWS_INLINE __m256i with_fifth(__m256i codes, __m256i fifths, int group)
{
    __m256i bit = _mm256_and_si256(fifths, _mm256_set1_epi8((char)(1 << group)));
    return _mm256_add_epi8(codes, _mm256_slli_epi16(_mm256_srli_epi16(bit, group), 4));
}
#endif

ROWS_INLINE __m128 add_minima(__m128 sum, __m128i products, float dmin)
{
#if K_QUANT_BITS == 5
    __m128i lanes = _mm_hadd_epi32(_mm_hadd_epi32(products, _mm_setzero_si128()), _mm_setzero_si128());
    return _mm_set_ss(_mm_cvtss_f32(sum) + dmin * (float)_mm_extract_epi32(lanes, 0));
#else
    return _mm_fmadd_ps(_mm_set1_ps(dmin), _mm_cvtepi32_ps(products), sum);
#endif
}

ROWS_INLINE float half_at(const uint8_t *at)
{
    uint16_t half;
    memcpy(&half, at, sizeof half);
    return _cvtsh_ss(half);
}

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_256 *a)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i groups = group_words(weights + 4), sums = load(a->sums), whole = _mm256_setzero_si256();
    __m128i pairs = _mm_hadd_epi16(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    sum.minima = add_minima(sum.minima, _mm_madd_epi16(_mm256_extracti128_si256(groups, 1), pairs),
                            -a->scale * half_at(weights + 2));
    __m256i scales = _mm256_broadcastsi128_si256(_mm256_castsi256_si128(groups));
#if K_QUANT_BITS == 5
    __m256i fifths = load(weights + BLOCK_HIGH);
#endif
#pragma GCC unroll 4
    for (int group = 0; group < 8; group += 2) {
        __m256i codes = load(weights + BLOCK_CODES + 16 * group);
        __m256i low = _mm256_and_si256(codes, nibble), high = _mm256_and_si256(_mm256_srli_epi16(codes, 4), nibble);
#if K_QUANT_BITS == 5
        low = with_fifth(low, fifths, group);
        high = with_fifth(high, fifths, group + 1);
#endif
        low = scaled(low, scales, group, a->q);
        whole = _mm256_add_epi32(whole, _mm256_add_epi32(low, scaled(high, scales, group + 1, a->q)));
    }
    sum.steps = _mm256_fmadd_ps(_mm256_set1_ps(a->scale * half_at(weights)), _mm256_cvtepi32_ps(whole), sum.steps);
    return sum;
}

#include "micro/families/blocks/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_256_make(activations, k, prepared);
}

#include "micro/families/k_quants/k_quant_row.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
#if K_QUANT_BITS == 5
    .differs = "10% more time than its original from a cache; from memory as long",
#else
    .differs = "2 to 8% less time than its original",
#endif
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
