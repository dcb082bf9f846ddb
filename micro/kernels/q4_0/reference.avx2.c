/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sequence q4_0.reference.avx2, row after row: mask, shift and subtract 8 to signed bytes, whose product with
 * signed activations takes vpsignb and vpabsb before vpmaddubsw; both scales for each block.
 */
#include "micro/kernels/blocks_avx2.h"
#include "micro/kernels/q4_0/layout.h"
#include "micro/kernels/q8_packed_avx2.h"

#define BLOCK_ACTIVATIONS struct q8_32_packed
#define BLOCK_VALUE       q8_32_packed_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        1

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q8_32_packed *a)
{
    __m128i nibbles = block_load_half(weights + 2);
    ROWS_IN_REGISTER(nibbles);
    __m256i codes = _mm256_inserti128_si256(_mm256_castsi128_si256(nibbles), _mm_srli_epi16(nibbles, 4), 1);
    __m256i w = _mm256_sub_epi8(_mm256_and_si256(codes, _mm256_set1_epi8(15)), _mm256_set1_epi8(8));
    __m256i words = _mm256_maddubs_epi16(_mm256_abs_epi8(w), _mm256_sign_epi8(block_load(a->q), w));
    __m256 scale = _mm256_mul_ps(block_scale(weights), _mm256_set1_ps(a->scale));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(block_widen(words)), scale, sum);
}

#include "micro/kernels/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_32_packed_make(activations, k, prepared);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "llama.cpp",
    .differs =
        "15 to 22% less time than its original from memory, whose scales are looked up in 256 KiB; 10% less from a cache",
    .gamma = "q4_0.reference.avx2",
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 32,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(struct q8_32_packed),
    .prepare = prepare,
    .row = block_row,
};
