/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows by three tokens: 12 multiply-adds and 7 loads of 8 columns.
 */
#include <immintrin.h>

#include "micro/kernels/f32/layout.h"

#define GEMM_VECTORS    1
#define GEMM_UNIT_BYTES (GEMM_COLUMNS * STEP_BYTES / STEP_COLUMNS)
#include "micro/kernels/gemm_rows_f32.h"

ROWS_INLINE gemm_vector gemm_weights(const uint8_t *unit, int number)
{
    (void)number;
    return _mm256_loadu_ps((const float *)(const void *)unit);
}

#include "micro/kernels/gemm_rows.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "f32.dot.avx2",
    .prefetch_bytes = 1024,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = GEMM_COLUMNS,
    .gemm = GEMM,
};
