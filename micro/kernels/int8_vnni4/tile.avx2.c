/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in tile.avx2.S. Nothing is unpacked that a panel could keep but signs and magnitudes, two bytes a weight.
 */
#include "micro/kernels/int8_vnni4/tile.avx2.S"

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
    .gemm = {.run = run, .scratch_bytes = scratch_bytes},
};
