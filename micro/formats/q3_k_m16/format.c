/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of Q3_K of sixteen rows, interleaved so that a 64-byte register holds the same four bytes of each: bits of four groups' scales,
 * upper bits of four columns in each of eight fields, or lower bits in each of four. As many bytes as q3_k.
 *
 *     panel = 16 rows     step, 1760 bytes = 256 columns
 *
 *     bytes 2 r, 2 r + 1 (r < 16)                 d of row r, binary16
 *     byte 32 + 64 m + 4 r + b (m < 3, b < 4)     byte 96 + 4 m + b of row r's block: scales
 *     byte 224 + 64 l + 4 r + b (l < 8, b < 4)    byte 4 l + b: upper bits
 *     byte 736 + 64 l + 4 r + b (l < 16, b < 4)   byte 32 + 4 l + b: lower bits
 *
 * K is a multiple of 256.
 */
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {108, 2, 2, 0}, {96, 12, 4, 0}, {0, 32, 4, 0},                                                                 \
        {                                                                                                              \
            32, 64, 4, 0                                                                                               \
        }                                                                                                              \
    }
#include "micro/formats/q3_k/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(3.4375);
