/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 bytes have 4 columns of 8 rows four times, so a line is loaded twice into a register, and its halves are masked where two fields
 * are: a tile's first 8 rows of W have one factor, 4^(2 tile), and its others four times that, until their sums are finished.
 */
#include "micro/families/amx/amx_gemm.h"

extern const struct format SELF_FORMAT;

AMX_INLINE __m512i line_at(const uint8_t *from)
{
    return _mm512_broadcast_i64x4(_mm256_loadu_si256((const __m256i *)(const void *)from));
}

AMX_INLINE __m512i line_mask(size_t tile)
{
    const __m256i low = _mm256_set1_epi8((char)(uint8_t)(3u << 4 * tile)),
                  high = _mm256_set1_epi8((char)(uint8_t)(12u << 4 * tile));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/** Exact: max_k is that of 64 times the sums. */
AMX_INLINE __m512i finish_sums(size_t tile, __m512i sums)
{
    const int shift = (int)tile * 4;
    const __m256i low = _mm256_set1_epi32(shift), high = _mm256_set1_epi32(shift + 2);
    return _mm512_srav_epi32(sums, _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
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
