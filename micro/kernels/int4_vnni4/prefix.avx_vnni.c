/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in prefix.avx_vnni.S.
 */
#include "micro/kernels/int4_vnni4/prefix.avx_vnni.S"
#include "micro/kernels/finish.h"

/* The sums are low and high nibbles of rows 0-7, then of rows 8-15. */
static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    for (int half = 0; half < 2; half++) {
        int32_t rows[2 * LANES];
        finish_prefix(raw + half * 2 * LANES, 2, LANES, 4, 1, correction, rows);
        finish_rows(rows, LANES, 0, out + half * LANES);
        finish_rows(rows + LANES, LANES, 0, out + (2 + half) * LANES);
    }
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
