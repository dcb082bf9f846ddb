/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of rows of floats, four rows by three tokens of 8 columns, with registers of 512 bits by six tokens of 16: as many multiply-adds as rows times
 * tokens, 12 or 24, for which f32 takes 7 or 10 loads, f16 4 conversions, bf16 4 zero extensions and shifts, both exact.
 */
#define GEMM_VECTORS    1
#define GEMM_UNIT_BYTES (GEMM_COLUMNS * STEP_BYTES / STEP_COLUMNS)
#include "micro/families/floats/gemm_rows_f32.h"

/** WIDEN, by its row: what makes floats of stored weights. */
ROWS_INLINE gemm_vector gemm_weights(const uint8_t *unit, int number)
{
    (void)number;
    return WIDEN(unit);
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
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = GEMM_COLUMNS,
    .gemm = GEMM,
};
