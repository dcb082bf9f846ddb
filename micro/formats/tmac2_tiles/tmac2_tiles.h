/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the renderings of T-MAC in its own tiles share (tmac2_tiles/layout.h).
 */
#ifndef MICRO_FORMATS_TMAC2_TILES_TMAC2_TILES_H
#define MICRO_FORMATS_TMAC2_TILES_TMAC2_TILES_H

#ifdef __aarch64__
#include "micro/formats/tmac2_tiles/tmac2_tiles_neon.h"
#else
#include "micro/formats/tmac2_tiles/tmac2_tiles_avx2.h"
#endif

enum { TILE_TABLES_BYTES = TMAC2_TILE_QUADS * QUANTIZED_TABLE_BYTES };

/** Entry of a table that a row's bit asks for; tables are those of the tile. */
static inline int8_t tmac2_tile_entry(const uint8_t *tile, uint32_t row, uint32_t bit, uint32_t column,
                                      const int8_t *tables)
{
    uint32_t shift;
    size_t at = tmac2_tile_nibble(row, bit, column, &shift);
    return tables[column % TMAC2_TILE_COLUMNS / 4 * QUANTIZED_TABLE_BYTES + (tile[at] >> shift & 15)];
}

#endif
