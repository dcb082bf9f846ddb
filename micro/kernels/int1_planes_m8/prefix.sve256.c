/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in prefix.sve256.S.
 */
#include "micro/kernels/int1_planes_m8/prefix.sve256.S"
#include "micro/kernels/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    static const int shift[] = {0, 1, 2, 3, 4, 5, 6, 7};
    finish_registers(raw, 1, 8, LANES, shift, true, 2, correction, out);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "int1_planes.prefix.sve256",
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .lossless = true,
    .gemv = gemv,
};
