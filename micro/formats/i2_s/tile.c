/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows by three tokens, 256 bits: 128 columns of four rows are 28 shifts and masks for 48 vpdpbusd, with AVX2 vpmaddubsw, which are widened and added.
 */
#include <immintrin.h>

#define GEMM_VECTORS    (STEP_COLUMNS / GEMM_COLUMNS)
#define GEMM_UNIT_BYTES STEP_BYTES
#include "micro/frames/gemm_rows_int32.h"

/** Fields in the order of their columns: bits 7:6 first. */
ROWS_INLINE gemm_vector gemm_weights(const uint8_t *unit, int number)
{
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)unit);
    return _mm256_and_si256(_mm256_srli_epi16(bytes, 6 - 2 * number), _mm256_set1_epi8(3));
}

#ifdef __AVXVNNI__
#define add_products _mm256_dpbusd_avx_epi32
#else
ROWS_INLINE __m256i add_products(__m256i sum, __m256i codes, __m256i activations)
{
    __m256i words = _mm256_maddubs_epi16(codes, activations);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(words, _mm256_set1_epi16(1)));
}
#endif

ROWS_INLINE gemm_sums gemm_dot(gemm_sums sum, gemm_vector weights, gemm_vector activations)
{
    sum = add_products(sum, weights, activations);
    ROWS_IN_REGISTER(sum); /* or it is copied from register to register in each turn */
    return sum;
}

#include "micro/frames/gemm_rows.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = SELF_MODEL,
    .prefetch_bytes = 1024,
    .lossless = true,
    .gemm = GEMM,
};
