/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Both nibbles of a byte are two tiles of other rows, masked where they are: two vpandd and two stores a line of 64 bytes. The upper
 * one has 16 times its sums.
 */
#include "micro/kernels/int4_vnni4/layout.h"

#include "micro/kernels/amx_gemm.h"

extern const struct format SELF_FORMAT;

AMX_INLINE void unpack_step(const uint8_t *step, uint8_t *chunk, size_t line)
{
    const __m512i bytes = _mm512_loadu_si512(step);
    _mm512_store_si512(tile_line(chunk, line, 0), _mm512_and_si512(bytes, _mm512_set1_epi8(0x0f)));
    _mm512_store_si512(tile_line(chunk, line, 1), _mm512_and_si512(bytes, _mm512_set1_epi8((char)0xf0)));
}

/** Exact: max_k is that of 16 times the sums. */
AMX_INLINE __m512i finish_sums(size_t tile, __m512i sums)
{
    return _mm512_srai_epi32(sums, (unsigned)tile * 4);
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
    .gemm = {.run = amx_gemm, .unpacks_alone = true, .scratch_bytes = amx_scratch_bytes},
};
