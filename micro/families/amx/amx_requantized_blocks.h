/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What amx_requantized.h requires of blocks of 32 columns with a scale and codes of 4 bits: 9 or 16 products and roundings make the tables
 * of 16 rows. Predicted, not measured: of Q4_0 160 vector uops a block of 16 rows on two ports.
 *
 * The including file has defined PANEL_ROWS, and defines blocks_at(slice, group, block, to): block `block` of 16 rows as q4_0_m16 has it (its
 * layout.h), where it lies or in the BLOCK_BYTES at `to`; of the values magnitudes_of(codes), their magnitudes, and values_make(ratio, bytes):
 * the codes' values times ratio, rounded, as tables_of() reads them; and scale_of() and code_value().
 */
#ifndef MICRO_FAMILIES_AMX_AMX_REQUANTIZED_BLOCKS_H
#define MICRO_FAMILIES_AMX_AMX_REQUANTIZED_BLOCKS_H

#include "micro/families/amx/amx_requantized.h"
#include "micro/formats/q4_0_m16/layout.h"

enum {
    RUN_BLOCKS = RUN_COLUMNS / BLOCK_COLUMNS,
    LINES = BLOCK_COLUMNS / 4, /* of a block, 64 bytes: 4 columns of 16 rows */
};

static const uint8_t *blocks_at(const struct gemm_slice *slice, size_t group, size_t block, uint8_t *to);
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
static void requantize(const struct gemm_slice *slice, size_t group, size_t first, size_t columns, int8_t *q,
                       float *run_scale)
{
    _Alignas(64) uint8_t copies[RUN_BLOCKS][BLOCK_BYTES];
    const uint8_t *from[RUN_BLOCKS];
    __m512 scale[RUN_BLOCKS], most = _mm512_setzero_ps();
    const size_t blocks = columns / BLOCK_COLUMNS;
    for (size_t i = 0; i < blocks; i++) {
        from[i] = blocks_at(slice, group, first / BLOCK_COLUMNS + i, copies[i]);
        scale[i] = _mm512_cvtph_ps(_mm256_loadu_si256((const void *)from[i]));
        most = _mm512_max_ps(most, largest_of(from[i], scale[i]));
    }
    __m512 factor = factor_of(most, run_scale);
    for (size_t i = 0; i < blocks; i++)
        requantize_block(from[i], _mm512_mul_ps(scale[i], factor), q + i * LINES * 64);
}

#endif
