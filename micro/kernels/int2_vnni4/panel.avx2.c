/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in panel.avx2.S.
 */
#define CUT_COLUMNS 4096
#include "micro/kernels/int2_vnni4/panel.avx2.S"

static inline void rows_of(const tile_vector *raw, int pass, tile_vector *sums)
{
    (void)pass;
    for (int n = 0; n < REGISTERS; n++)
        sums[n] = raw[n];
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
