/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q3_k.rows.avx512_vnni with half the width: four products start from -4 or -16 times their activations, so that they fit 16 bits, and the sums of
 * two fields are packed and meet the scales of their groups in one vpdpwssd; those of the second are four times too large to the end of
 * the row.
 */
#include "micro/formats/q3_k/fields_256.h"
#include "micro/formats/q3_k/operand.h"

#define BLOCK_ACTIVATIONS struct q3_k_operand
#define BLOCK_VALUE       q3_k_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0

#define BLOCK_STORE(out, panel, sum) ((out)[panel] = row_total(sum))

ROWS_INLINE float row_total(block_floats sum)
{
    return block_lanes_sum(_mm256_mul_ps(sum, _mm256_setr_ps(1, 1, 0.25f, 0.25f, 1, 1, 0.25f, 0.25f)));
}

ROWS_INLINE __m256i field(__m256i low, __m256i high, int number, const struct q3_k_operand *a)
{
    return _mm256_dpbusd_avx_epi32(block_load(a->start[number % 4] + number / 4 * 8), q3_k_codes(low, high, number),
                                   block_load(a->q8.q + 32 * number));
}

/** Fields `number` and `number` + 1, times the scales of their groups. */
ROWS_INLINE __m256i add_fields(__m256i sum, __m256i low, __m256i high, __m256i scales, int number,
                               const struct q3_k_operand *a)
{
    const __m256i next = _mm256_setr_epi64x(0, 0x0202020202020202, 0, 0x0202020202020202);
    __m256i words = _mm256_packs_epi32(field(low, high, number, a), field(low, high, number + 1, a));
    __m256i of_fields = _mm256_add_epi8(next, _mm256_set1_epi16((short)(0x0100 + 0x0202 * number)));
    return _mm256_dpwssd_avx_epi32(sum, words, _mm256_shuffle_epi8(scales, of_fields));
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q3_k_operand *a)
{
    ROWS_READ_AGAIN(a);
    __m256i scales = q3_k_field_scales(q3_k_scales(weights)), high = block_load(weights);
    __m256i whole = _mm256_setzero_si256();
    ROWS_IN_REGISTER(high);
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
        __m256i low = block_load(weights + BLOCK_CODES + 32 * half);
        ROWS_IN_REGISTER(low);
        whole = add_fields(whole, low, high, scales, 4 * half, a);
        whole = add_fields(whole, _mm256_srli_epi16(low, 4), high, scales, 4 * half + 2, a);
    }
    __m256 scale = _mm256_mul_ps(block_scale(weights + BLOCK_D), _mm256_set1_ps(a->q8.scale));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), scale, sum);
}

#include "micro/families/blocks/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q3_k_prepare(activations, k, prepared);
}

const struct kernel SELF = Q3_K_ROWS_KERNEL(2048);

#include "micro/frames/gamma.h"
