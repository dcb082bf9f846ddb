/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in dot.avx512_vnni.S.
 */
#include "micro/kernels/int8_vnni4/dot.avx512_vnni.S"
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
    .differs = "with our prefetch and several panels side by side",
    .prefetch_bytes = 2048,
    .lossless = true,
    .gemv = gemv,
};
