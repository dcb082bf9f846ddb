/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of rows of floats on aarch64, four rows by six tokens: four columns of a row, eight of SVE, f32 as they are, f16 widened by fcvtl, bf16 by shll, on
 * SVE as they are loaded and by fcvt or a shift; then 24 multiply-adds of four rows. 24 sums, 6 activations and 1 of weights are 31 registers.
 */
#include "micro/families/floats/gemm_rows_f32_aarch64.h"

#define GEMM_VECTORS    4
#define GEMM_UNIT_BYTES (GEMM_VECTORS * GEMM_COLUMNS * STEP_BYTES / STEP_COLUMNS)

/** WIDEN, by its row: what makes floats of stored weights. */
ROWS_INLINE gemm_vector gemm_weights(const uint8_t *unit, int number)
{
    const void *at = unit + GEMM_UNIT_BYTES / GEMM_VECTORS * number;
    return WIDEN(at);
}

#include "micro/frames/gemm_rows.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = GEMM_FLOATS_KERNEL;
