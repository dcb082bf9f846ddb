/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in dot.neon_i8mm.S.
 */
#include "micro/kernels/int8_vnni4/dot.neon_i8mm.S"
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
    .differs = "with our prefetch; not measured beside its original, as nothing of aarch64 is",
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .lossless = true,
    .gemv = gemv,
};
