/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL2 in the tile order of bitnet.cpp's own program [bitnet-cpp, 3.1; its convert-hf-to-gguf-bitnet.py, preprocess_weights_tl2]. The order
 * depends on two numbers that its configuration names for each matrix: BM rows of a tile, BK columns of a block. Of K columns the first
 * floor(K / BK) * BK are triples, the other, a multiple of 32, are TL1's pairs.
 *
 *     panel = BM rows = [K / BK] [BM / 32] [BK / 6] lines: indices of triples 2 l, 2 l + 1 (upper, lower nibble) of 32 rows
 *                       [K / BK] [BM / 32] [BK / 24] lines: signs of 8 triples of 32 rows
 *                       [K % BK / 32] [BM / 32] [8] lines: indices of pairs 2 l, 2 l + 1 (upper, lower nibble) of 32 rows
 *
 *     line of indices   bytes 0 … 7   8 … 15    16 … 23   24 … 31
 *                       rows  0 … 7   16 … 23   8 … 15    24 … 31
 *
 *     line of signs     16 words, little-endian: word j, bit 15 - 2 t is triple t of row j, bit 14 - 2 t that of row 16 + j
 *
 * Codes are those of tl2: index |9 w0 + 3 w1 + w2| and sign (table 6), 3 (w0 + 1) + w1 + 1 (table 5). In a model file's tensor each of the three
 * parts is that of all tiles, then comes the next: tl2_tiles_part() says where. M is a multiple of BM there.
 *
 * The including file defines TL2_BM and TL2_BK.
 */
#ifndef MICRO_FAMILIES_LOOKUP_TL2_TILES_H
#define MICRO_FAMILIES_LOOKUP_TL2_TILES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TL2_LINE = 32, TL2_PAIRS_COLUMNS = 32, TL2_PAIRS_LINES = 8 };

/** Columns that are triples. */
static inline size_t tl2_tiles_triples_k(size_t k, size_t bk)
{
    return k / bk * bk;
}

/** The parts of a tile, in this order. */
enum tl2_tiles_part { TL2_INDICES, TL2_TILE_SIGNS, TL2_PAIRS, TL2_PARTS };

/** Bytes of a part of one tile of bm rows and k columns; times the number of tiles for a whole tensor. */
static inline size_t tl2_tiles_part_bytes(enum tl2_tiles_part part, size_t bm, size_t bk, size_t k)
{
    size_t triples = tl2_tiles_triples_k(k, bk) / 3;
    switch (part) {
    case TL2_INDICES: return bm * triples / 2;
    case TL2_TILE_SIGNS: return bm * triples / 8;
    default: return bm * (k % bk) / 4;
    }
}

/** From the beginning of a tile to this part of it; TL2_PARTS: bytes of a tile. */
static inline size_t tl2_tiles_part_at(enum tl2_tiles_part part, size_t bm, size_t bk, size_t k)
{
    size_t bytes = 0;
    for (int before = TL2_INDICES; before < (int)part; before++)
        bytes += tl2_tiles_part_bytes((enum tl2_tiles_part)before, bm, bk, k);
    return bytes;
}

/** Of a row of 32: its byte within a line of indices. */
static inline size_t tl2_tiles_byte(size_t row)
{
    static const uint8_t eighth[] = {0, 2, 1, 3};
    return eighth[row / 8] * 8u + row % 8;
}

/** Of a triple of the first columns: the byte of its index, from the beginning of the indices. */
static inline size_t tl2_tiles_index_at(size_t bm, size_t bk, size_t row, size_t triple)
{
    size_t block = triple / (bk / 3), line = triple % (bk / 3) / 2;
    return ((block * (bm / 32) + row / 32) * (bk / 6) + line) * TL2_LINE + tl2_tiles_byte(row % 32);
}

/** The byte of its sign, from the beginning of the signs, and the bit within that. */
static inline size_t tl2_tiles_sign_at(size_t bm, size_t bk, size_t row, size_t triple, unsigned *bit)
{
    size_t block = triple / (bk / 3), line = triple % (bk / 3) / 8;
    unsigned of_word = 15 - (unsigned)(triple % 8 * 2 + row % 32 / 16);
    *bit = of_word % 8;
    return ((block * (bm / 32) + row / 32) * (bk / 24) + line) * TL2_LINE + row % 16 * 2 + of_word / 8;
}

/** Of a pair of the last columns: the byte of its index, from the beginning of the pairs. */
static inline size_t tl2_tiles_pair_at(size_t bm, size_t row, size_t pair)
{
    size_t block = pair / (TL2_PAIRS_COLUMNS / 2), line = pair % (TL2_PAIRS_COLUMNS / 2) / 2;
    return ((block * (bm / 32) + row / 32) * TL2_PAIRS_LINES + line) * TL2_LINE + tl2_tiles_byte(row % 32);
}

#ifdef __cplusplus
}
#endif

#endif
