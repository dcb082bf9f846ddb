/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in prefix.avx_vnni.S.
 */
#include "micro/kernels/int2_vnni4/prefix.avx_vnni.S"
#include "micro/kernels/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    finish_prefix(raw, SUMS, LANES, 2, 1, correction, out);
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
