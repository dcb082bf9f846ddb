/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the renderings of T-MAC in its own tiles share (tmac2_tiles/layout.h): what 16 tables say of 16 rows, in words, and the loop over a tile.
 * T-MAC keeps tables in registers, of which AVX2 has 16; here they are read from the first-level cache for each block of rows.
 */
#ifndef MICRO_FORMATS_TMAC2_TILES_TMAC2_TILES_AVX2_H
#define MICRO_FORMATS_TMAC2_TILES_TMAC2_TILES_AVX2_H

#include "micro/families/lookup/lookup_avx2.h"
#include "micro/families/lookup/lookup_quantized.h"
#include "micro/formats/tmac2_tiles/layout.h"

enum { TILE_TABLES_BYTES = TMAC2_TILE_QUADS * QUANTIZED_TABLE_BYTES };

/** Of 16 rows and 64 columns: first, of eight rows their bits 0, then their bits 1; second, of the eight rows after them. */
LOOKUP struct lookup_words tmac2_block_sums(const uint8_t *weights, const uint8_t *tables)
{
    struct lookup_words sums = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    __asm__ volatile("" : "+r"(tables)); /* or the compiler keeps 16 tables for all blocks, on the stack */
#pragma GCC unroll 16
    for (size_t quad = 0; quad < TMAC2_TILE_QUADS; quad++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(weights + quad * 16));
        __m256i nibbles = lookup_lower(_mm256_set_m128i(_mm_srli_epi16(bytes, 4), bytes));
        __m256i found = _mm256_shuffle_epi8(lookup_table_load(tables + quad * QUANTIZED_TABLE_BYTES), nibbles);
        sums.first = _mm256_add_epi16(sums.first, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(found)));
        sums.second = _mm256_add_epi16(sums.second, _mm256_cvtepi8_epi16(_mm256_extracti128_si256(found, 1)));
        __asm__("" : "+x"(sums.first), "+x"(sums.second)); /* or it adds up what it has no registers for */
    }
    return sums;
}

/** Entry of a table that a row's bit asks for; tables are those of the tile. */
static inline int8_t tmac2_tile_entry(const uint8_t *tile, uint32_t row, uint32_t bit, uint32_t column,
                                      const int8_t *tables)
{
    uint32_t shift;
    size_t at = tmac2_tile_nibble(row, bit, column, &shift);
    return tables[column % TMAC2_TILE_COLUMNS / 4 * QUANTIZED_TABLE_BYTES + (tile[at] >> shift & 15)];
}

#endif
