/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in paper.avx512_vnni.S.
 */
#include <stdint.h>

#include "micro/kernel.h"

#define PLACES        4
#define SUMS          4
#define LANES         16
#define ROWS          32
#define STEP_BYTES    64
#define OPERAND_BYTES 8

/* Each 512-bit sum holds two groups of columns of the same eight rows in its halves. */
static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    for (int sum = 0; sum < SUMS; sum++) {
        for (int row = 0; row < 8; row++)
            out[sum * 8 + row] = add_wrapping(add_wrapping(raw[sum * LANES + row], raw[sum * LANES + 8 + row]), correction);
    }
}

#include "micro/kernels/walk.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "envelope",
    .prefetch_bytes = 2048,
    .gemv = gemv,
    .code = (const void *)(uintptr_t)walk_rows,
};
