/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in panel.avx_vnni.S.
 */
#define CUT_COLUMNS 4096
#include "micro/kernels/int1_planes_m8/panel.avx_vnni.S"

static inline void rows_of(const tile_vector *raw, int pass, tile_vector *sums)
{
    tile_prefixes(raw, pass * REGISTERS, 1, sums);
    for (int n = 0; n < REGISTERS; n++)
        sums[n] *= 2;
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
