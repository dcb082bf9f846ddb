/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sequence q2_k.reference.avx2, row after row: shift and mask each field, spread the scales of its two groups over
 * words, and let vpmaddwd apply them as it widens; the minima meet the sums of the activations.
 */
#include "micro/kernels/blocks_avx2.h"
#include "micro/kernels/q2_k/layout.h"
#include "micro/kernels/q8_packed_avx2.h"

#define BLOCK_ACTIVATIONS struct q8_256_packed
#define BLOCK_VALUE       q8_256_packed_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        1

#define EIGHT(byte) byte, 0x80, byte, 0x80, byte, 0x80, byte, 0x80, byte, 0x80, byte, 0x80, byte, 0x80, byte, 0x80

/** In memory, or the compiler would make the eight of them again for every row. */
static const _Alignas(32) uint8_t spreads[8][32] = {
    {EIGHT(0), EIGHT(1)}, {EIGHT(2), EIGHT(3)},   {EIGHT(4), EIGHT(5)},   {EIGHT(6), EIGHT(7)},
    {EIGHT(8), EIGHT(9)}, {EIGHT(10), EIGHT(11)}, {EIGHT(12), EIGHT(13)}, {EIGHT(14), EIGHT(15)},
};

/** Words: the scale of group 2 pair in the lower half, of 2 pair + 1 in the upper one. */
ROWS_INLINE __m256i spread(__m256i scales, int pair)
{
    return _mm256_shuffle_epi8(scales, block_load(spreads[pair]));
}

ROWS_INLINE __m256i field(__m256i codes, __m256i scales, int number, const int8_t *a)
{
    __m256i code = _mm256_and_si256(_mm256_srli_epi16(codes, number % 4 * 2), _mm256_set1_epi8(3));
    __m256i words = _mm256_maddubs_epi16(code, block_load(a + 32 * number));
    return _mm256_madd_epi16(words, spread(scales, number));
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q8_256_packed *a)
{
    __m128i groups = block_load_half(weights);
    __m256i scales = _mm256_broadcastsi128_si256(_mm_and_si128(groups, _mm_set1_epi8(15)));
    __m256i minima = _mm256_cvtepu8_epi16(_mm_and_si128(_mm_srli_epi16(groups, 4), _mm_set1_epi8(15)));
    minima = _mm256_madd_epi16(minima, block_load(a->sums));
    __m256i whole = _mm256_setzero_si256();
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
        __m256i codes = block_load(weights + 16 + 32 * half);
#pragma GCC unroll 4
        for (int number = 4 * half; number < 4 * half + 4; number++)
            whole = _mm256_add_epi32(whole, field(codes, scales, number, a->q));
    }
    __m256 scale = _mm256_set1_ps(a->scale);
    __m256 step = _mm256_mul_ps(block_scale(weights + 80), scale);
    __m256 minimum = _mm256_mul_ps(block_scale(weights + 82), scale);
    sum = _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), step, sum);
    return _mm256_fnmadd_ps(_mm256_cvtepi32_ps(minima), minimum, sum);
}

#include "micro/kernels/block_rows.h"
#define Q2_K_ACTIVATION(prepared, column) q8_256_packed_value(prepared, column)
#include "micro/kernels/q2_k/row.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_256_packed_make(activations, k, prepared);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "llama.cpp",
    .gamma = "q2_k.reference.avx2",
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 128,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(struct q8_256_packed),
    .prepare = prepare,
    .row = minima_row,
};
