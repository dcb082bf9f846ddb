/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows by six tokens: four columns of a row as they are, then 24 multiply-adds of four rows; 24 sums, 6 activations and 1 of weights are
 * 31 registers.
 */
#include "micro/kernels/f32/layout.h"

#include "micro/kernels/gemm_rows_f32_aarch64.h"

#define GEMM_VECTORS    4
#define GEMM_UNIT_BYTES (GEMM_VECTORS * GEMM_COLUMNS * STEP_BYTES / STEP_COLUMNS)

ROWS_INLINE gemm_vector gemm_weights(const uint8_t *unit, int number)
{
    return vld1q_f32((const float *)(const void *)unit + 4 * number);
}

#include "micro/kernels/gemm_rows.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = GEMM_FLOATS_KERNEL("f32.dot.neon");
