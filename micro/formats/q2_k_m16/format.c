/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of Q2_K of sixteen rows, interleaved so that a 64-byte register holds the same four bytes of each: four groups'
 * scales, or codes of four columns in each of four groups. As many bytes as q2_k, and every register is a line.
 *
 *     panel = 16 rows     step, 1344 bytes = 256 columns
 *
 *     bytes 2 r, 2 r + 1 (r < 16)                 d of row r, binary16
 *     bytes 32 + 2 r, 33 + 2 r                    dmin of row r, binary16
 *     byte 64 + 64 m + 4 r + b (m < 4, b < 4)     scale (low nibble) and minimum (high) of row r's group 4 m + b
 *     byte 320 + 64 l + 4 r + b (l < 16, b < 4)   byte 16 + 4 l + b of row r's block: codes
 *
 * K is a multiple of 256.
 */
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {80, 2, 2, 0}, {82, 2, 2, 0}, {0, 16, 4, 0},                                                                   \
        {                                                                                                              \
            16, 64, 4, 0                                                                                               \
        }                                                                                                              \
    }
#include "micro/formats/q2_k/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(2.625);
