/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of floats on SVE (float_rows_aarch64.h): f32 as it is; of f16 and bf16 loads widen halves to words without an instruction more, which fcvt
 * or a shift makes floats, exactly: bfloat16 is the upper half of binary32. Neon widens both halves of a register, in each format's dot.neon.c.
 */
#include "micro/of_self.h"
#include OF_FORMAT(layout.h)

#include "micro/families/floats/float_rows_aarch64.h"

/** WIDEN, by its row: what makes floats of stored weights. */
ROWS_INLINE struct float_pair widen(const uint8_t *weights)
{
    const void *low = weights, *high = weights + FLOAT_BYTES * TILE_ROWS;
    return (struct float_pair){WIDEN(low), WIDEN(high)};
}

const struct kernel SELF = FLOAT_ROWS_KERNEL;
