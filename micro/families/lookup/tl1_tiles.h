/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL1 in the tile order of bitnet.cpp's own program [bitnet-cpp, 3.1; its convert-hf-to-gguf-bitnet.py, process_tl1]. The order depends on three
 * numbers that its configuration names for each matrix: BM rows of a tile, BK columns of a block, bm rows that its loop has at once (32 or 64).
 * Those are 64 bytes with the columns that fit, BY = 256 / bm.
 *
 *     panel = BM rows = [K / BK] [BM / bm] [BK / BY] 64 bytes = [bm / 16] [BY / 4] lines
 *
 *     line of 16 bytes   byte r: columns 0, 1 | columns 2, 3 of row r  (upper | lower nibble)
 *
 * Codes are those of tl1: index 3 (w0 + 1) + w1 + 1 (table 5). A model file's tensor is its tiles one after the other, as they are here, M a
 * multiple of BM and K of BK; after them lies its scale.
 *
 * The including file defines TL1_BM, TL1_BK and TL1_ROWS_AT_ONCE.
 */
#ifndef MICRO_FAMILIES_LOOKUP_TL1_TILES_H
#define MICRO_FAMILIES_LOOKUP_TL1_TILES_H

#include <stddef.h>

enum { TL1_LINE = 16, TL1_LINE_COLUMNS = 4, TL1_CHUNK = 64 };

/** Columns of a chunk of bm rows. */
static inline size_t tl1_tiles_chunk_columns(size_t bm)
{
    return 256 / bm;
}

/**
 * The byte of a pair's index, from the beginning of its block of BK columns.
 * @param row     of the tile
 * @param column  of the block
 * @param shift   set to where in the byte it is
 */
static inline size_t tl1_tiles_index_at(size_t bk, size_t bm, size_t row, size_t column, unsigned *shift)
{
    size_t by = tl1_tiles_chunk_columns(bm), chunk = row / bm * (bk / by) + column / by;
    size_t line = row % bm / TL1_LINE * (by / TL1_LINE_COLUMNS) + column % by / TL1_LINE_COLUMNS;
    *shift = column % TL1_LINE_COLUMNS / 2 ? 0 : 4;
    return chunk * TL1_CHUNK + line * TL1_LINE + row % TL1_LINE;
}

#endif
