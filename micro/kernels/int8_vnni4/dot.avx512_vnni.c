/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in dot.avx512_vnni.S.
 */
#include "micro/kernels/finish.h"

#define INTERLEAVE        4
#define SUMS          2
#define LANES         16
#define ROWS          32
#define STEP_BYTES    128
#define OPERAND_BYTES 4

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    finish_rows(raw, ROWS, correction, out);
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
