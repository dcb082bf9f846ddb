/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in envelope.avx_vnni.S.
 */
#include "micro/kernels/int1_vnni4/envelope.avx_vnni.S"
#include "micro/kernels/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    finish_rows(raw, ROWS, correction, out);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "envelope",
    .prefetch_beside = 2048,
    .lossless = true,
    .gemv = gemv,
};
