/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ELUT(5, 2), mirrored [bitnet-cpp, table 3]: two weights of -2 … 2 in a 4-bit index and a sign bit, 2.5 bits a weight. 64 rows a
 * panel; a step is 16 columns, a tile of TL2 (tl2/layout.h) with a pair in place of a triple:
 *
 *     step     0 …  63   byte = row, pair 1 | pair 0  (upper | lower nibble: the index)
 *             64 … 127   byte = row, pair 3 | pair 2
 *            128 … 191   byte = row, pair 5 | pair 4
 *            192 … 255   byte = row, pair 7 | pair 6
 *            256 … 319   byte = row, signs of pairs 0 1 2 3 4 5 6 7 in bits 7 … 0
 *
 *     pair j of step s is columns 16 s + 2 j, + 1: index |5 w0 + w1|, sign 1 if that is negative; 13 … 15 are unused
 */
#ifndef MICRO_FORMATS_ELUT5_LAYOUT_H
#define MICRO_FORMATS_ELUT5_LAYOUT_H

#include "micro/formats/tl2/layout.h"

#define ELUT5_ROWS         TL2_ROWS
#define ELUT5_STEP_PAIRS   TL2_TRIPLES
#define ELUT5_STEP_COLUMNS (2 * ELUT5_STEP_PAIRS)
#define ELUT5_STEP_BYTES   TL2_TILE_BYTES

#endif
