/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows by three tokens: 128 columns of four rows are 28 shifts and masks for 48 vpmaddubsw, which are widened and added.
 */
#include <immintrin.h>

#include "micro/kernels/i2_s/layout.h"

#define GEMM_VECTORS    (STEP_COLUMNS / GEMM_COLUMNS)
#define GEMM_UNIT_BYTES STEP_BYTES
#include "micro/kernels/gemm_rows_int32.h"

/** Fields in the order of their columns: bits 7:6 first. */
ROWS_INLINE gemm_vector gemm_weights(const uint8_t *unit, int number)
{
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)unit);
    return _mm256_and_si256(_mm256_srli_epi16(bytes, 6 - 2 * number), _mm256_set1_epi8(3));
}

ROWS_INLINE gemm_sums gemm_dot(gemm_sums sum, gemm_vector weights, gemm_vector activations)
{
    __m256i words = _mm256_maddubs_epi16(weights, activations);
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(words, _mm256_set1_epi16(1)));
    ROWS_IN_REGISTER(sum);
    return sum;
}

#include "micro/kernels/gemm_rows.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "i2_s.mask.avx2",
    .prefetch_bytes = 1024,
    .lossless = true,
    .gemm = GEMM,
};
