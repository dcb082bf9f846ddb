/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL2 [bitnet-cpp, 3.1]: three ternary weights in a 4-bit index and a sign bit, block-fitted. Of K columns the first
 *
 *     ThreeK = floor(K / 24) * 24    are tiles of 8 triples,   the other   TwoK = K - ThreeK    are TL1's, pairs of 4
 * bits,
 *
 * so nothing is padded where K is a multiple of 4. 64 rows a panel: a tile is five lines of memory, read whole.
 *
 *     panel = [ThreeK / 24] tiles of 320 bytes, then [TwoK / 4] of 64 bytes
 *
 *     tile     0 …  63   byte = row, triple 1 | triple 0  (upper | lower nibble: the index)
 *             64 … 127   byte = row, triple 3 | triple 2
 *            128 … 191   byte = row, triple 5 | triple 4
 *            192 … 255   byte = row, triple 7 | triple 6
 *            256 … 319   byte = row, signs of triples 0 1 2 3 4 5 6 7 in bits 7 … 0
 *
 *     triple j of tile t is columns 24 t + 3 j, + 1, + 2: index |9 w0 + 3 w1 + w2|, sign 1 if that is negative (table
 * 6)
 *
 *     of TwoK  0 …  63   byte = row, columns 2, 3 | columns 0, 1: index 3 (w0 + 1) + w1 + 1 (table 5)
 *
 * The order in memory is ours, chosen so that signs lie beside their indices and a panel is read from front to back;
 * the renderings of the paper (bitnet_tl2_0, bitnet_tl2_1) have its codes, tables and instructions in this order and
 * not in the tiles of its own program, which tl2_160x96 and tl2_320x96 have.
 */
#ifndef MICRO_FORMATS_TL2_LAYOUT_H
#define MICRO_FORMATS_TL2_LAYOUT_H

#define TL2_ROWS         64
#define TL2_TRIPLES      8
#define TL2_TILE_COLUMNS 24
#define TL2_TILE_BYTES   320
#define TL2_SIGNS        256
#define TL2_QUAD_COLUMNS 4
#define TL2_QUAD_BYTES   64

#ifndef __ASSEMBLER__
#include <stddef.h>

static inline size_t tl2_tiles(size_t k)
{
    return k / TL2_TILE_COLUMNS;
}

/** Bytes of a row of the TL1 part: fewer than 6. */
static inline size_t tl2_quads(size_t k)
{
    return k % TL2_TILE_COLUMNS / TL2_QUAD_COLUMNS;
}

#endif

#endif
