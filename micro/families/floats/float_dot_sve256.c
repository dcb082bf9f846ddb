/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of floats on SVE (float_rows_aarch64.h): f32 as it is; of f16 and bf16 loads widen halves to words without an instruction more, which fcvt
 * or a shift makes floats, exactly: bfloat16 is the upper half of binary32. Neon widens both halves of a register, in each format's dot.neon.c. Neoverse V1
 * has 2 pipes of 256 bits for 4 fmla of 32 columns: >= 2.0 cycles, with 4 shifts >= 4.0, as 4 pipes of 128 take; 4 fcvt, on one of them, one in 4 cycles by
 * llvm-mca's model: >= 16.0.
 */
#define FLOAT_REGISTERS 2
#include "micro/families/floats/float_rows_aarch64.h"

ROWS_INLINE void float_load(tile_bytes *to, const uint8_t *weights)
{
#pragma GCC unroll 2
    for (int i = 0; i < FLOAT_REGISTERS; i++)
        to[i] = LOAD(weights + i * FLOAT_BYTES * TILE_ROWS);
}

/** LOAD and WIDEN, by its row: weights in words, and these as floats. */
ROWS_INLINE struct float_pair widen(const tile_bytes *weights)
{
    return (struct float_pair){WIDEN(weights[0]), WIDEN(weights[1])};
}

const struct kernel SELF = FLOAT_ROWS_KERNEL;

#include "micro/frames/gamma.h"
