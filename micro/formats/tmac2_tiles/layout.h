/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights bit by bit in groups of four, as tmac2, in the order in which T-MAC keeps them for x86-64: tiles of 128 rows (256 rows of
 * bits) and 64 columns, which are 16 tables. One scale for the tensor, as T-MAC has it for BitNet's models. A panel is 128 rows, a step a tile:
 *
 *     step, 2,048 bytes = 64 columns     [8 blocks of 16 rows] [16 quads of columns] [16 bytes]
 *
 *     byte b of 16    0 … 7                              8 … 15
 *     lower nibble    bit 0 of row b of the block        bit 1 of row b - 8
 *     upper nibble    bit 0 of row b + 8                 bit 1 of row b
 *     bit of a nibble = column of the quad               of u = w + 2, w in [-2, 1]
 */
#ifndef MICRO_FORMATS_TMAC2_TILES_LAYOUT_H
#define MICRO_FORMATS_TMAC2_TILES_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

enum {
    TMAC2_TILE_ROWS = 128,
    TMAC2_TILE_COLUMNS = 64,
    TMAC2_TILE_BYTES = TMAC2_TILE_COLUMNS * TMAC2_TILE_ROWS / 4,
    TMAC2_TILE_QUADS = TMAC2_TILE_COLUMNS / 4,
    TMAC2_BLOCK_ROWS = 16, /* of a tile */
    TMAC2_BLOCK_BYTES = TMAC2_TILE_QUADS * 16,
    TMAC2_TILE_OFFSET = 2,
};

/** Where a bit of a row's four columns is: its byte in their tile, and how far up its nibble begins there. */
static inline size_t tmac2_tile_nibble(uint32_t row, uint32_t bit, uint32_t column, uint32_t *shift)
{
    uint32_t in = row % TMAC2_BLOCK_ROWS, quad = column % TMAC2_TILE_COLUMNS / 4;
    *shift = in / 8 * 4;
    return row / TMAC2_BLOCK_ROWS * TMAC2_BLOCK_BYTES + quad * 16 + bit * 8 + in % 8;
}

/** 0 to 3. */
static inline uint32_t tmac2_tile_code(const uint8_t *tile, uint32_t row, uint32_t column)
{
    uint32_t code = 0;
    for (uint32_t bit = 0; bit < 2; bit++) {
        uint32_t shift;
        size_t at = tmac2_tile_nibble(row, bit, column, &shift);
        code |= (uint32_t)(tile[at] >> (shift + column % 4) & 1) << bit;
    }
    return code;
}

static inline void tmac2_tile_put(uint8_t *tile, uint32_t row, uint32_t column, uint32_t code)
{
    for (uint32_t bit = 0; bit < 2; bit++) {
        uint32_t shift;
        uint8_t *byte = tile + tmac2_tile_nibble(row, bit, column, &shift);
        shift += column % 4;
        *byte = (uint8_t)((*byte & ~(1u << shift)) | (code >> bit & 1) << shift);
    }
}

#endif
