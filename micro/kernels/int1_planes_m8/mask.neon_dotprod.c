/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in mask.neon_dotprod.S.
 */
#include "micro/kernels/int1_planes_m8/mask.neon_dotprod.S"
#include "micro/kernels/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    static const int shift[] = {0, 1, 2, 3, 4, 5, 6, 0};
    finish_registers(raw, 2, 8, LANES, shift, false, 2, correction, out);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "int1_planes.mask.neon_dotprod",
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .lossless = true,
    .gemv = gemv,
};
