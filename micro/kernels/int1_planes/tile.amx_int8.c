/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The eight bits of a byte are eight tiles of other rows, masked where they are: tile j has 2^j times its sums.
 */
#include "micro/kernels/int1_planes/layout.h"

#include "micro/kernels/amx_gemm.h"

extern const struct format SELF_FORMAT;

AMX_INLINE __m512i line_at(const uint8_t *from)
{
    return _mm512_loadu_si512(from);
}

AMX_INLINE __m512i line_mask(size_t tile)
{
    return _mm512_set1_epi8((char)(uint8_t)(1u << tile));
}

/** A bit is u = (w + 1) / 2: twice its sum, and the correction is that of w + 1. */
AMX_INLINE __m512i finish_sums(size_t tile, __m512i sums)
{
    return _mm512_slli_epi32(_mm512_srai_epi32(sums, (unsigned)tile), 1);
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
    .gemm = {AMX_GEMM, .unpacks_alone = true},
};
