/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side; both bits of a code stay at 1:0 or 3:2 after one shift of 32 bytes and take the third above them, so that a field
 * is one product where the original has two. Each of the two weights has its own sum, and the offset of the codes meets the sums of the
 * activations.
 */
#include "micro/formats/q3_k/fields_256.h"
#include "micro/formats/q3_k/operand.h"

#define BLOCK_ACTIVATIONS struct q3_k_operand
#define BLOCK_VALUE       q3_k_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0

/** Columns 32 number …, times the scales of their groups. */
ROWS_INLINE __m256i field(__m256i low, __m256i high, __m256i scales, int number, const int8_t *a)
{
    __m256i words = _mm256_maddubs_epi16(q3_k_codes(low, high, number), block_load(a + 32 * number));
    return _mm256_madd_epi16(words, _mm256_shuffle_epi8(scales, _mm256_set1_epi16((short)(0x0100 + 0x0202 * number))));
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q3_k_operand *a)
{
    ROWS_READ_AGAIN(a);
    __m128i bytes = q3_k_scales(weights);
    __m256i scales = q3_k_field_scales(bytes), high = block_load(weights);
    __m256i ones = _mm256_setzero_si256(), fours = _mm256_setzero_si256();
    ROWS_IN_REGISTER(high);
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
        __m256i low = block_load(weights + BLOCK_CODES + 32 * half);
        ROWS_IN_REGISTER(low);
        ones = _mm256_add_epi32(ones, field(low, high, scales, 4 * half, a->q8.q));
        fours = _mm256_add_epi32(fours, field(low, high, scales, 4 * half + 1, a->q8.q));
        low = _mm256_srli_epi16(low, 4);
        ones = _mm256_add_epi32(ones, field(low, high, scales, 4 * half + 2, a->q8.q));
        fours = _mm256_add_epi32(fours, field(low, high, scales, 4 * half + 3, a->q8.q));
    }
    __m256i offset = _mm256_slli_epi32(_mm256_madd_epi16(_mm256_cvtepi8_epi16(bytes), block_load(a->q8.sums)), 2);
    __m256i whole = _mm256_add_epi32(_mm256_slli_epi32(_mm256_sub_epi32(ones, offset), 2), fours);
    __m256 scale = _mm256_mul_ps(block_scale(weights + BLOCK_D), _mm256_set1_ps(a->q8.scale * 0.25f));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), scale, sum);
}

#include "micro/families/blocks/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q3_k_prepare(activations, k, prepared);
}

const struct kernel SELF = Q3_K_ROWS_KERNEL(2048);

#include "micro/frames/gamma.h"
