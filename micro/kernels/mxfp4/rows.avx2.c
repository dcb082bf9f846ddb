/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: one shift by 0 and 4 bits parts the nibbles after a load that repeats them, one vpshufb looks up twice the
 * value, and its sign goes to the activations. The scale, halved, is a load from a table. 10 vector uops of a block of 32. Unsigned
 * values would save one, but a lane that has 16 more of each activation rounds what the lanes' sum then cancels.
 */
#include "micro/kernels/blocks_avx2.h"
#include "micro/kernels/mxfp4/layout.h"
#include "micro/kernels/mxfp4/scale.h"

#define BLOCK_ACTIVATIONS struct q8_32
#define BLOCK_VALUE       q8_32_value
#define BLOCKS_TOGETHER   4
#define ROW_BY_ROW        0

static const uint32_t half_scales[256] = MXFP4_HALF_SCALES;

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q8_32 *a)
{
    const __m256i twice = _mm256_broadcastsi128_si256(_mm_setr_epi8(MXFP4_TWICE));
    __m256i nibbles = _mm256_broadcastsi128_si256(block_load_half(weights + 1));
    nibbles = _mm256_srlv_epi32(nibbles, _mm256_setr_epi32(0, 0, 0, 0, 4, 4, 4, 4));
    __m256i w = _mm256_shuffle_epi8(twice, _mm256_and_si256(nibbles, _mm256_set1_epi8(15)));
    __m256i words = _mm256_maddubs_epi16(_mm256_abs_epi8(w), _mm256_sign_epi8(block_load(a->q), w));
    __m256 half_scale = _mm256_castsi256_ps(_mm256_set1_epi32((int32_t)half_scales[weights[0]]));
    __m256 scale = _mm256_mul_ps(half_scale, _mm256_set1_ps(a->scale));
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
