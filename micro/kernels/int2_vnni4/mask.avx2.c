/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in mask.avx2.S.
 */
#include "micro/kernels/int2_vnni4/mask.avx2.S"
#include "micro/kernels/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    static const int shift[] = {0, 2, 0, 2}; /* fields 1 and 3 kept their place in the nibble */
    finish_planes(raw, SUMS, LANES, shift, 1, correction, out);
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
