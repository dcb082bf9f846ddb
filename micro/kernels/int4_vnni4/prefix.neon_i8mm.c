/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in prefix.neon_i8mm.S.
 */
#include "micro/kernels/int4_vnni4/prefix.neon_i8mm.S"
#include "micro/kernels/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    static const int shift[] = {0, 4};
    finish_registers(raw, 4, 2, LANES, shift, true, 1, correction, out);
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
