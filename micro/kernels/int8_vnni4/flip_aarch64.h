/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8_vnni4 where no instruction takes unsigned weights. The including .c has included its inner loop.
 */
#include "micro/kernels/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    finish_rows(raw, ROWS, correction, out);
}

/** Sums of w a take what the correction takes off those of u a, offset times the sum of the activations, back. */
static void gemv_signed(const struct gemv_slice *slice)
{
    struct gemv_slice with_sum = *slice;
    int32_t sum = 0;
    for (size_t i = 0; i < slice->k; i++)
        sum += slice->activations[i];
    with_sum.correction = add_wrapping(slice->correction, SELF_FORMAT.activation_offset * sum);
    gemv(&with_sum);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .lossless = true,
    .gemv = gemv_signed,
};
