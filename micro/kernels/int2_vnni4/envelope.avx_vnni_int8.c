/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in envelope.avx_vnni_int8.S. What its weights are multiplied as has no offset: micro/kernels/signed_weights.h.
 * The prefetch distance is that of avx_vnni: no CPU with this instruction set has been at hand.
 */
#include "micro/kernels/int2_vnni4/envelope.avx_vnni_int8.S"
#include "micro/kernels/finish.h"
#include "micro/kernels/signed_weights.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    finish_rows(raw, ROWS, correction, out);
}

static void gemv_signed(const struct gemv_slice *slice)
{
    const struct gemv_slice other = signed_weights_slice(slice, &SELF_FORMAT);
    gemv(&other);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "envelope",
    .differs = "never timed: no CPU of this instruction set was at hand",
    .prefetch_beside = 2048,
    .lossless = true,
    .gemv = gemv_signed,
};
