/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What amx_requantized.h requires of panels that are 16 rows of blocks as q4_0_m16 has them, with a scale for 32 columns and codes of 4
 * bits, whatever their values: 9 or 16 products and roundings make the tables of 16 rows. Predicted, not measured: of Q4_0 160 vector uops a block of 16 rows
 * on two ports.
 *
 * The including file defines of the values magnitudes_of(codes), their magnitudes, and values_make(ratio, bytes): the codes' values times
 * ratio, rounded, as tables_of() reads them; and code_value().
 */
#ifndef MICRO_FAMILIES_AMX_AMX_REQUANTIZED_M16_H
#define MICRO_FAMILIES_AMX_AMX_REQUANTIZED_M16_H

#include "micro/families/amx/amx_requantized.h"

enum {
    RUN_BLOCKS = RUN_COLUMNS / BLOCK_COLUMNS,
    LINES = BLOCK_COLUMNS / 4, /* of a block, 64 bytes: 4 columns of 16 rows */
};

static inline __m512i magnitudes_of(__m512i codes);
static inline void values_make(__m512 ratio, __m512i *bytes);

/** Low or high nibbles of a line: columns 4 line … of a block. */
static inline __m512i codes_of(const uint8_t *block, size_t line)
{
    __m512i bytes = _mm512_loadu_si512(block + BLOCK_CODES + line % 4 * 64);
    return _mm512_and_si512(line < 4 ? bytes : _mm512_srli_epi16(bytes, 4), _mm512_set1_epi8(15));
}

/** max|w| of each row of a block. */
static inline __m512 largest_of(const uint8_t *block, __m512 scale)
{
    __m512i most = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (size_t line = 0; line < LINES; line++) {
        most = _mm512_max_epu8(most, magnitudes_of(codes_of(block, line)));
    }
    return _mm512_mul_ps(_mm512_abs_ps(scale), largest_byte(most));
}

/** ratio: scale of the block / scale of the run. */
static inline void requantize_block(const uint8_t *block, __m512 ratio, int8_t *to)
{
    __m512i bytes[4], table[4];
    values_make(ratio, bytes);
    tables_of(bytes, table);
#pragma GCC unroll 8
    for (size_t line = 0; line < LINES; line++)
        _mm512_store_si512(to + 64 * line, look_up(table, codes_of(block, line)));
}

/** What of the run's columns they leave over meets activations of 0. */
static void requantize(const struct gemm_slice *slice, size_t panel, size_t first, size_t columns, int8_t *q,
                       float *run_scale)
{
    const uint8_t *run = slice->weights + panel * slice->panel_bytes + first / BLOCK_COLUMNS * BLOCK_BYTES;
    __m512 scale[RUN_BLOCKS], most = _mm512_setzero_ps();
    const size_t blocks = columns / BLOCK_COLUMNS;
    for (size_t i = 0; i < blocks; i++) {
        const uint8_t *from = run + i * BLOCK_BYTES;
        for (size_t line = 0; slice->prefetch_bytes && line < BLOCK_BYTES; line += 64)
            _mm_prefetch((const char *)((uintptr_t)from + slice->prefetch_bytes + line), _MM_HINT_T0);
        scale[i] = _mm512_cvtph_ps(_mm256_loadu_si256((const void *)from));
        most = _mm512_max_ps(most, largest_of(from, scale[i]));
    }
    __m512 factor = factor_of(most, run_scale);
    for (size_t i = 0; i < blocks; i++)
        requantize_block(run + i * BLOCK_BYTES, _mm512_mul_ps(scale[i], factor), q + i * LINES * 64);
}

static float scale_of(const uint8_t *panel, uint32_t row, size_t column)
{
    return half_float_at(panel + column / BLOCK_COLUMNS * BLOCK_BYTES + 2 * row);
}

/** The code of a column, 0 … 15. */
static uint32_t code_of(const uint8_t *panel, uint32_t row, size_t column)
{
    size_t in_block = column % BLOCK_COLUMNS, line = in_block % 16 / 4;
    const uint8_t *block = panel + column / BLOCK_COLUMNS * BLOCK_BYTES;
    return (uint32_t)block[BLOCK_CODES + line * 64 + 4 * row + in_block % 4] >> in_block / 16 * 4 & 15u;
}

extern const struct format SELF_FORMAT;

#endif
