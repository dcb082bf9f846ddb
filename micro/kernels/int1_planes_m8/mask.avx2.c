/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in mask.avx2.S.
 */
#include "micro/kernels/int1_planes_m8/mask.avx2.S"
#include "micro/kernels/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    static const int shift[] = {0, 1, 2, 3, 4, 5, 6, 7};
    finish_planes(raw, SUMS, LANES, shift, 2, correction, out);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "int1_planes.mask.avx2",
    .prefetch_bytes = 4096,
    .lossless = true,
    .gemv = gemv,
};
