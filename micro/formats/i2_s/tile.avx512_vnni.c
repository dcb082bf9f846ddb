/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows by six tokens. A load that repeats 32 bytes and one shift of each half bring two fields into a register, in the
 * order of their columns: 128 columns of four rows are 8 such registers for 48 vpdpbusd.
 */
#include <immintrin.h>

#define GEMM_IS_ZMM
#define GEMM_VECTORS    (STEP_COLUMNS / GEMM_COLUMNS)
#define GEMM_UNIT_BYTES STEP_BYTES
#include "micro/frames/gemm_rows_int32.h"

/** Fields in the order of their columns: bits 7:6 first. */
ROWS_INLINE gemm_vector gemm_weights(const uint8_t *unit, int number)
{
    __m512i bytes = _mm512_broadcast_i64x4(_mm256_loadu_si256((const __m256i *)(const void *)unit));
    const __m512i shift =
        number ? _mm512_setr_epi64(2, 2, 2, 2, 0, 0, 0, 0) : _mm512_setr_epi64(6, 6, 6, 6, 4, 4, 4, 4);
    return _mm512_and_si512(_mm512_srlv_epi64(bytes, shift), _mm512_set1_epi8(3));
}

ROWS_INLINE gemm_sums gemm_dot(gemm_sums sum, gemm_vector weights, gemm_vector activations)
{
    sum = _mm512_dpbusd_epi32(sum, weights, activations);
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
    .gamma = "i2_s.mask.avx512_vnni",
    .prefetch_bytes = 1024,
    .lossless = true,
    .gemm = GEMM,
};
