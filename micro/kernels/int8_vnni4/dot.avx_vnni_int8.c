/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in dot.avx_vnni_int8.S. The prefetch distance is that of avx_vnni: no CPU with this instruction set has been at hand.
 */
#include "micro/kernels/int8_vnni4/dot.avx_vnni_int8.S"
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
    .differs = "with our prefetch and several panels side by side, never timed",
    .prefetch_bytes = 2048,
    .lossless = true,
    .gemv = gemv,
};
