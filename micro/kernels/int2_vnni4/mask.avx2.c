/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in mask.avx2.S.
 */
#include <stdint.h>

#include "micro/kernel.h"

#define PLACES        2
#define SUMS          4
#define LANES         8
#define ROWS          32
#define STEP_BYTES    64
#define OPERAND_BYTES 8

/* Fields 1 and 3 kept their place in the nibble: times 4. */
static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    for (int field = 0; field < 4; field++) {
        for (int lane = 0; lane < LANES; lane++)
            out[field * LANES + lane] = add_wrapping(raw[field * LANES + lane] >> field % 2 * 2, correction);
    }
}

#include "micro/kernels/walk.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 2048,
    .gemv = gemv,
    .code = (const void *)(uintptr_t)walk_rows,
};
