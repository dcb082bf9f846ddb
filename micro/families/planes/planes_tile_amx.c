/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fields of a byte are tiles of other rows: eight bits of int1_planes, four of two bits of int2_planes, both nibbles of int4_vnni4. Masked where they are,
 * a vpandd and a store each for a line of 64 bytes, the weights of tile j are 2^j, 4^j or 16^j times what they should be, and so are its sums until they are
 * finished. The topmost field needs the unsigned operand of tdpbsud.
 */
#include "micro/families/amx/amx_gemm.h"

enum { FIELD_BITS = 8 / PLANES };

extern const struct format SELF_FORMAT;

AMX_INLINE __m512i line_at(const uint8_t *from)
{
    return _mm512_loadu_si512(from);
}

AMX_INLINE __m512i line_mask(size_t tile)
{
    return _mm512_set1_epi8((char)(uint8_t)(((1u << FIELD_BITS) - 1) << FIELD_BITS * tile));
}

/** Exact: max_k is that of the largest sums. A bit is u = (w + 1) / 2: twice its sum, and the correction is that of w + 1. */
AMX_INLINE __m512i finish_sums(size_t tile, __m512i sums)
{
    return _mm512_slli_epi32(_mm512_srai_epi32(sums, (unsigned)tile * FIELD_BITS), FIELD_BITS == 1 ? 1 : 0);
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
