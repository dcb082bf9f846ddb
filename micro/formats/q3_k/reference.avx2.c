/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Row after row: lower bits and upper bit of a field are two operands of their own, of which the second is 4
 * where the bit is not set, and the difference of their products meets the scales of the groups in vpmaddwd. Scales are put together from
 * their 12 bytes in integer registers.
 */
#define KERNEL_ORIGIN "llama.cpp"

#include "micro/families/blocks/blocks_avx2.h"
#define SELF_DIFFERS "6% more time than its original from a cache; from memory as long"
#include "micro/formats/q3_k/operand.h"

#define BLOCK_ACTIVATIONS struct q3_k_operand
#define BLOCK_VALUE       q3_k_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        1

/** Of the 16 groups, words. */
ROWS_INLINE __m256i block_scales(const uint8_t *weights)
{
    uint32_t bytes[3];
    memcpy(bytes, weights + BLOCK_SCALES, sizeof bytes);
    const uint32_t low = 0x0f0f0f0f, high = 0x03030303;
    __m128i scales = _mm_set_epi32((int)((bytes[1] >> 4 & low) | (bytes[2] >> 6 & high) << 4),
                                   (int)((bytes[0] >> 4 & low) | (bytes[2] >> 4 & high) << 4),
                                   (int)((bytes[1] & low) | (bytes[2] >> 2 & high) << 4),
                                   (int)((bytes[0] & low) | (bytes[2] & high) << 4));
    return _mm256_cvtepi8_epi16(_mm_sub_epi8(scales, _mm_set1_epi8(32)));
}

/** 32 columns, times the scales of their groups, of which eight are in both halves of `scales`. */
ROWS_INLINE __m256i field(__m256i low, __m256i high, __m256i scales, int number, const int8_t *a)
{
    const __m256i first = _mm256_setr_m128i(_mm_set1_epi16(0x0100), _mm_set1_epi16(0x0302));
    __m256i activations = block_load(a + 32 * number);
    __m256i code = _mm256_and_si256(number % 4 ? _mm256_srli_epi16(low, number % 4 * 2) : low, _mm256_set1_epi8(3));
    __m256i missing = _mm256_andnot_si256(high, _mm256_set1_epi8((char)(1 << number)));
    missing = _mm256_slli_epi16(number ? _mm256_srli_epi16(missing, number) : missing, 2);
    __m256i words =
        _mm256_sub_epi16(_mm256_maddubs_epi16(code, activations), _mm256_maddubs_epi16(missing, activations));
    __m256i spread = _mm256_shuffle_epi8(scales, _mm256_add_epi8(first, _mm256_set1_epi8((char)(number % 4 * 4))));
    return _mm256_madd_epi16(spread, words);
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q3_k_operand *a)
{
    __m256i scales = block_scales(weights), high = block_load(weights), whole = _mm256_setzero_si256();
    ROWS_IN_REGISTER(high);
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
        __m256i low = block_load(weights + BLOCK_CODES + 32 * half);
        __m256i of_half = half ? _mm256_permute4x64_epi64(scales, 0xee) : _mm256_permute4x64_epi64(scales, 0x44);
        ROWS_IN_REGISTER(low);
        __m256i one = field(low, high, of_half, 4 * half, a->q8.q),
                two = field(low, high, of_half, 4 * half + 1, a->q8.q);
        __m256i three = field(low, high, of_half, 4 * half + 2, a->q8.q);
        __m256i four = field(low, high, of_half, 4 * half + 3, a->q8.q);
        whole = _mm256_add_epi32(whole, _mm256_add_epi32(_mm256_add_epi32(one, two), _mm256_add_epi32(three, four)));
    }
    __m256 scale = _mm256_mul_ps(block_scale(weights + BLOCK_D), _mm256_set1_ps(a->q8.scale));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), scale, sum);
}

#include "micro/families/blocks/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q3_k_prepare(activations, k, prepared);
}

const struct kernel SELF = Q3_K_ROWS_KERNEL(0);

#include "micro/frames/gamma.h"
