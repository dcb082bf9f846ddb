/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in prefix.sve256.S.
 */
#include "micro/kernels/int2_vnni4/prefix.sve256.S"
#include "micro/kernels/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    static const int shift[] = {0, 2, 4, 6};
    finish_registers(raw, 1, 4, LANES, shift, true, 1, correction, out);
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
