/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in envelope.avx512_vnni.S.
 */
#include "micro/kernels/int2_vnni4/envelope.avx512_vnni.S"
#include "micro/kernels/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    finish_halves(raw, SUMS, correction, out);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "envelope",
    .differs =
        "by shuffles of 16, where its original looks up 64 (vpermb); 11% less time from memory, 34% less from a cache",
    .prefetch_beside = 512,
    .lossless = true,
    .gemv = gemv,
};
