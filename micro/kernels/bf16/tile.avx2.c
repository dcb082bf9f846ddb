/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows by three tokens: 8 columns are widened, exact, by 4 zero extensions and shifts, for 12 multiply-adds.
 */
#include <immintrin.h>

#include "micro/kernels/bf16/layout.h"

#define GEMM_VECTORS    1
#define GEMM_UNIT_BYTES (GEMM_COLUMNS * STEP_BYTES / STEP_COLUMNS)
#include "micro/kernels/gemm_rows_f32.h"

ROWS_INLINE gemm_vector gemm_weights(const uint8_t *unit, int number)
{
    (void)number;
    __m128i words = _mm_loadu_si128((const __m128i *)(const void *)unit);
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(words), 16));
}

#include "micro/kernels/gemm_rows.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "bf16.dot.avx2",
    .prefetch_bytes = 1024,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = GEMM_COLUMNS,
    .gemm = GEMM,
};
