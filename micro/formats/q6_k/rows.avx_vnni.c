/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q6_k.rows.avx512_vnni with half the width: four products start from -32 times their activations, so that they fit 16 bits, and the sums of two
 * fields are packed and meet the scales of their groups in one vpdpwssd.
 */
#include "micro/formats/q6_k/fields_256.h"
#include "micro/formats/q6_k/operand.h"

#define BLOCK_ACTIVATIONS struct q6_k_operand
#define BLOCK_VALUE       q6_k_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0

/** Words of the scales of a field, four, and of the next. */
ROWS_INLINE __m256i spread(__m256i scales, int number)
{
    const __m256i next = _mm256_setr_epi64x(0, 0x0202020202020202, 0, 0x0202020202020202);
    return _mm256_shuffle_epi8(scales, _mm256_add_epi8(next, _mm256_set1_epi16((short)(0x0100 + 0x0202 * number))));
}

ROWS_INLINE __m256i sums_of(const uint8_t *weights, int number, const struct q6_k_operand *a)
{
    __m256i low = q6_k_low(weights, number);
    __m256i high = q6_k_high(weights, number);
    return _mm256_dpbusd_avx_epi32(block_load(a->start + 8 * number), q6_k_codes(low, high, number),
                                   block_load(a->q8.q + 32 * number));
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q6_k_operand *a)
{
    ROWS_READ_AGAIN(a);
    __m256i scales = q6_k_scales(weights), whole = _mm256_setzero_si256();
#pragma GCC unroll 4
    for (int number = 0; number < 8; number += 2) {
        __m256i words = _mm256_packs_epi32(sums_of(weights, number, a), sums_of(weights, number + 1, a));
        whole = _mm256_dpwssd_avx_epi32(whole, words, spread(scales, number));
    }
    __m256 scale = _mm256_mul_ps(block_scale(weights + BLOCK_D), _mm256_set1_ps(a->q8.scale));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), scale, sum);
}

#include "micro/families/blocks/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q6_k_prepare(activations, k, prepared);
}

const struct kernel SELF = Q6_K_ROWS_KERNEL(2048);

#include "micro/frames/gamma.h"
