/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in dot.avx2.S.
 */
#include <stdint.h>

#include "micro/kernel.h"

#define INTERLEAVE        2
#define SUMS          5
#define LANES         8
#define ROWS          32
#define STEP_BYTES    128
#define OPERAND_BYTES 4

/* The fifth sum holds 128 sum a in every lane. */
static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    for (int row = 0; row < ROWS; row++)
        out[row] = add_wrapping(add_wrapping(raw[row], raw[ROWS]), correction);
}

#include "micro/kernels/microkernel.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 2048,
    .lossless = true,
    .gemv = gemv,
};
