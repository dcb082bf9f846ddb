/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in dot.avx512.S.
 */
#include "micro/kernels/f32/dot.avx512.S"
#include "micro/kernels/row_sum.h"

static void finish(const float *raw, float *out)
{
    out[0] = row_sum(raw, SUMS * LANES);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 2048,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = SUMS * LANES,
    .lossless = true,
    .gemv = gemv,
};
