/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: signed codes times signed activations, the sign of the codes given to the activations. 9 vector uops of
 * a block of 32 (the scale is 3). A code of -128, which no quantizer gives, is right as well: its magnitude is unsigned.
 */
#include "micro/kernels/blocks_avx2.h"
#include "micro/kernels/q8_0/layout.h"

#define BLOCK_ACTIVATIONS struct q8_32
#define BLOCK_VALUE       q8_32_value
#define BLOCKS_TOGETHER   2
#define ROW_BY_ROW        0

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q8_32 *a)
{
    __m256i w = block_load(weights + 2);
    __m256i words = _mm256_maddubs_epi16(_mm256_abs_epi8(w), _mm256_sign_epi8(block_load(a->q), w));
    __m256 scale = _mm256_mul_ps(block_scale(weights), _mm256_set1_ps(a->scale));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(block_widen(words)), scale, sum);
}

#include "micro/kernels/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_32_make(activations, k, prepared);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = SELF_NAME,
    .prefetch_bytes = 2048,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 32,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(BLOCK_ACTIVATIONS),
    .prepare = prepare,
    .row = block_row,
};
