/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in mask.avx2.S.
 */
#include <stdint.h>

#include "micro/kernel.h"

#define PLACES        1
#define SUMS          8
#define LANES         8
#define ROWS          64
#define STEP_BYTES    64
#define OPERAND_BYTES 8

/* Plane p kept its place in the byte: times 2^p; y = 2 sum u a - sum a. */
static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    for (int plane = 0; plane < 8; plane++) {
        for (int lane = 0; lane < LANES; lane++)
            out[plane * LANES + lane] = add_wrapping(2 * (raw[plane * LANES + lane] >> plane), correction);
    }
}

#include "micro/kernels/walk.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "int1_planes.mask.avx2",
    .prefetch_bytes = 4096,
    .gemv = gemv,
    .code = (const void *)(uintptr_t)walk_rows,
};
