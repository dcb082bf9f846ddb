/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in mask.neon_dotprod.S.
 */
#include "micro/kernels/int1_vnni4/mask.neon_dotprod.S"
#include "micro/kernels/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    static const int shift[] = {0};
    finish_planes(raw, 1, ROWS, shift, -2, correction, out);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .lossless = true,
    .gemv = gemv,
};
