/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in dot.avx2.S.
 */
#include <stdint.h>

#include "micro/kernel.h"
#include "micro/kernels/int8_vnni4/dot.avx2.S"

/* The fifth sum holds 128 sum a in every lane. */
static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    for (int row = 0; row < ROWS; row++)
        out[row] = add_wrapping(add_wrapping(raw[row], raw[ROWS]), correction);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 4096,
    .lossless = true,
    .gemv = gemv,
};
