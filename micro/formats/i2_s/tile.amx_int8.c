/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 64 bytes of a row are two blocks of 128 columns: shifted and masked, each of the four fields is a row of a tile, 32 columns of both
 * blocks, and the operand has them in that order. Seven operations for four stores, so that stores bind. Codes 0 to 2 are the
 * unsigned operand of tdpbusd.
 */
#define UNIT_STEPS    4
#define UNIT_COLUMNS  256
#define ROWS_PRODUCT  tdpbusd
#define ROWS_ELEMENTS 4
#include "micro/families/amx/amx_rows.h"

extern const struct format SELF_FORMAT;

AMX_INLINE void rows_unpack(const uint8_t *from, size_t bytes, uint8_t *to)
{
    const __m512i field = _mm512_set1_epi8(3);
    const __mmask64 there = bytes < UNIT_BYTES ? 0xffffffff : ~(__mmask64)0;
    const __m512i codes = _mm512_maskz_loadu_epi8(there, from);
    _mm512_store_si512(to, _mm512_and_si512(_mm512_srli_epi16(codes, 6), field));
    _mm512_store_si512(to + AMX_STEP_STRIDE, _mm512_and_si512(_mm512_srli_epi16(codes, 4), field));
    _mm512_store_si512(to + 2 * AMX_STEP_STRIDE, _mm512_and_si512(_mm512_srli_epi16(codes, 2), field));
    _mm512_store_si512(to + 3 * AMX_STEP_STRIDE, _mm512_and_si512(codes, field));
}

/** [256 columns] [field] [block of 128] [4 columns of 32]: lines of 4 columns. */
AMX_INLINE size_t rows_line(size_t column)
{
    size_t unit = column / UNIT_COLUMNS, block = column % UNIT_COLUMNS / 128, field = column % 128 / 32;
    return unit * (UNIT_COLUMNS / 4) + field * TILE_ROWS + block * 8 + column % 32 / 4;
}

AMX_INLINE __m512 rows_finish(const struct amx_walk *walk, size_t token, __m512i sums)
{
    const struct gemm_slice *slice = walk->slice;
    const __m512i corrected = _mm512_add_epi32(sums, _mm512_set1_epi32(slice->corrections[token]));
    return _mm512_mul_ps(_mm512_cvtepi32_ps(corrected), _mm512_set1_ps(slice->scales[token]));
}

static size_t group_bytes(size_t k)
{
    return rows_steps(k) * TILE_BYTES;
}

/** Tokens and columns that are not there are zero. */
static void prepare_many(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    memset(prepared, 0, group_bytes(k));
    for (size_t column = 0; column < k; column += 64) {
        __m512i lines[16];
        for (size_t token = 0; token < 16; token++)
            lines[token] = token < tokens ? _mm512_loadu_si512((const int8_t *)activations + token * stride + column)
                                          : _mm512_setzero_si512();
        rows_put_columns(lines, column, prepared);
    }
}

static void run(const struct gemm_slice *slice)
{
    rows_run(slice, group_bytes(slice->k));
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "int8_tiles.rows16_k64_loads.amx_int8",
    .prefetch_bytes = 1024,
    .lossless = true,
    .gemm = {.run = run,
             .prepare_many = prepare_many,
             .tokens_per_group = 16,
             .unpacks_alone = true,
             .prepared_bytes = group_bytes,
             .scratch_bytes = rows_scratch_bytes,
             .multiply = "int8_tiles.rows16_k64.amx_int8"},
};
