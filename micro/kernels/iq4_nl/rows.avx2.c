/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: one shift by 0 and 4 bits parts the nibbles after a load that repeats them, one vpshufb looks the
 * signed values up, and the sign goes to the activations. 12 vector uops of a block of 32 (the scale is 3).
 */
#include "micro/kernels/blocks_avx2.h"
#include "micro/kernels/iq4_nl/codebook.h"
#include "micro/kernels/iq4_nl/layout.h"

#define BLOCK_ACTIVATIONS struct q8_32
#define BLOCK_VALUE       q8_32_value
#define BLOCKS_TOGETHER   4
#define ROW_BY_ROW        0

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q8_32 *a)
{
    const __m256i codebook = _mm256_broadcastsi128_si256(_mm_setr_epi8(IQ4_NL_CODEBOOK));
    __m256i nibbles = _mm256_broadcastsi128_si256(block_load_half(weights + 2));
    nibbles = _mm256_srlv_epi32(nibbles, _mm256_setr_epi32(0, 0, 0, 0, 4, 4, 4, 4));
    __m256i w = _mm256_shuffle_epi8(codebook, _mm256_and_si256(nibbles, _mm256_set1_epi8(15)));
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
