/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in paper.avx512_vnni.S.
 */
#include "micro/kernels/finish.h"

#define INTERLEAVE        3
#define SUMS          4
#define LANES         16
#define ROWS          32
#define STEP_BYTES    64
#define OPERAND_BYTES 8

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    finish_halves(raw, SUMS, correction, out);
}

#include "micro/kernels/microkernel.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "envelope",
    .prefetch_bytes = 2048,
    .lossless = true,
    .gemv = gemv,
};
