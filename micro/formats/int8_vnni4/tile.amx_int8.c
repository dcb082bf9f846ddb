/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing is unpacked: of the 32 rows of a panel the 128 bytes of 4 columns are a row of two tiles of B, u = w + 128.
 */
#define WEIGHTS_ARE_TILES
#include "micro/families/amx/amx_gemm.h"

extern const struct format SELF_FORMAT;

AMX_INLINE __m512i finish_sums(size_t tile, __m512i sums)
{
    (void)tile;
    return sums;
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "int8_tiles.rows16_k64_loads.amx_int8",
    .prefetch_bytes = 4096,
    .lossless = true,
    .gemm = {AMX_GEMM},
};
