/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The four fields of a byte are four tiles of other rows: masked where they are, four vpandd and four stores a line of 64 bytes, the
 * weights of tile j are 4^j times what they should be, and so are its sums until they are finished. The topmost field needs the unsigned
 * operand of tdpbsud.
 */
#include "micro/kernels/int2_planes/layout.h"

#include "micro/kernels/amx_gemm.h"

extern const struct format SELF_FORMAT;

AMX_INLINE __m512i line_at(const uint8_t *from)
{
    return _mm512_loadu_si512(from);
}

AMX_INLINE __m512i line_mask(size_t tile)
{
    return _mm512_set1_epi8((char)(uint8_t)(3u << 2 * tile));
}

/** Exact: max_k is that of 64 times the sums. */
AMX_INLINE __m512i finish_sums(size_t tile, __m512i sums)
{
    return _mm512_srai_epi32(sums, (unsigned)tile * 2);
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
