/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The arithmetic of q6_k.reference.avx2, four rows side by side: masks after shifts, scales spread from words that were widened once for all
 * fields, and minus 32 times the scaled sums of the activations where the sum begins.
 */
#include "micro/formats/q6_k/fields_256.h"
#include "micro/formats/q6_k/operand.h"

#define BLOCK_ACTIVATIONS struct q6_k_operand
#define BLOCK_VALUE       q6_k_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0

/** Words of the scales of a field. */
ROWS_INLINE __m256i spread(__m256i scales, int number)
{
    return _mm256_shuffle_epi8(scales, _mm256_set1_epi16((short)(0x0100 + 0x0202 * number)));
}

ROWS_INLINE __m256i block_whole(const uint8_t *weights, const struct q6_k_operand *a)
{
    __m256i scales = q6_k_scales(weights);
    __m256i whole = _mm256_slli_epi32(_mm256_madd_epi16(scales, block_load(a->minus_sums)), 5);
#pragma GCC unroll 8
    for (int number = 0; number < 8; number++) {
        __m256i low = q6_k_low(weights, number);
        __m256i high = q6_k_high(weights, number);
        __m256i words = _mm256_maddubs_epi16(q6_k_codes(low, high, number), block_load(a->q8.q + 32 * number));
        whole = _mm256_add_epi32(whole, _mm256_madd_epi16(words, spread(scales, number)));
    }
    return whole;
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q6_k_operand *a)
{
    ROWS_READ_AGAIN(a);
    __m256 scale = _mm256_mul_ps(block_scale(weights + BLOCK_D), _mm256_set1_ps(a->q8.scale));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(block_whole(weights, a)), scale, sum);
}

#include "micro/families/blocks/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q6_k_prepare(activations, k, prepared);
}

const struct kernel SELF = Q6_K_ROWS_KERNEL(2048);

#include "micro/frames/gamma.h"
