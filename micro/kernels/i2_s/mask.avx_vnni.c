/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in mask.avx_vnni.S.
 */
#include "micro/kernels/i2_s/mask.avx_vnni.S"
#include "micro/kernel.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    int32_t sum = correction;
    for (int field = 0; field < SUMS; field++) {
        for (int lane = 0; lane < LANES; lane++)
            sum = add_wrapping(sum, raw[field * LANES + lane] >> (6 - 2 * field));
    }
    out[0] = sum;
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
