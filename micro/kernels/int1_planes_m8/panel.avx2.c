/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in panel.avx2.S.
 */
#define CUT_COLUMNS 4096
#include "micro/kernels/int1_planes_m8/panel.avx2.S"

static inline void rows_of(const tile_vector *raw, int pass, tile_vector *sums)
{
    (void)pass; /* y = 2 sum u a - sum a, and the upper bit counts twice already */
    sums[0] = raw[0] * 2;
    sums[1] = raw[1];
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 8192,
    .lossless = true,
    .gemm = {.run = run, .unpacks_alone = true, .scratch_bytes = scratch_bytes},
};
