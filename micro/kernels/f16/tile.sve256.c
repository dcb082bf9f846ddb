/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows by six tokens: eight columns of a row widened as they are loaded and by fcvt, then 24 multiply-adds of four rows; 24 sums, 6 activations and 1 of
 * weights are 31 registers of 256 bits.
 */
#include "micro/kernels/f16/layout.h"

#include "micro/kernels/gemm_rows_f32_aarch64.h"

#define GEMM_VECTORS    4
#define GEMM_UNIT_BYTES (GEMM_VECTORS * GEMM_COLUMNS * STEP_BYTES / STEP_COLUMNS)

ROWS_INLINE gemm_vector gemm_weights(const uint8_t *unit, int number)
{
    return tile_halves(unit + 16 * number);
}

#include "micro/kernels/gemm_rows.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = GEMM_FLOATS_KERNEL("f16.dot.sve256");
