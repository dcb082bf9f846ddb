/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in prefix.avx_vnni.S.
 */
#include <stdint.h>

#include "micro/kernel.h"

#define PLACES        3
#define SUMS          4
#define LANES         8
#define ROWS          32
#define STEP_BYTES    64
#define OPERAND_BYTES 8

/* Differences of neighbouring prefix sums, each shifted back by its plane's place in the byte. */
static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    for (int plane = 0; plane < 4; plane++) {
        for (int lane = 0; lane < LANES; lane++) {
            int32_t below = plane ? raw[(plane - 1) * LANES + lane] : 0;
            int32_t sum = (int32_t)((uint32_t)raw[plane * LANES + lane] - (uint32_t)below);
            out[plane * LANES + lane] = add_wrapping(sum >> 2 * plane, correction);
        }
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
