/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in envelope.avx2.S.
 */
#include "micro/kernels/int4_vnni4/envelope.avx2.S"
#include "micro/kernels/finish.h"

/* The sums are low and high nibbles of rows 0-7, then of rows 8-15. */
static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    for (int half = 0; half < 2; half++) {
        finish_rows(raw + half * 2 * LANES, LANES, correction, out + half * LANES);
        finish_rows(raw + (half * 2 + 1) * LANES, LANES, correction, out + (2 + half) * LANES);
    }
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "envelope",
    .differs = "without VNNI, for which there is no original",
    .prefetch_beside = 4096,
    .lossless = true,
    .gemv = gemv,
};
