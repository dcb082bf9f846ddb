/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of Q4_K of sixteen rows, interleaved so that a 64-byte register holds the same four bytes of each. As many bytes as q4_k, and
 * every register is a line.
 *
 *     panel = 16 rows     step, 2304 bytes = 256 columns
 *
 *     bytes 2 r, 2 r + 1 (r < 16)                 d of row r, binary16
 *     bytes 32 + 2 r, 33 + 2 r                    dmin of row r, binary16
 *     byte 64 + 64 l + 4 r + b (l < 3, b < 4)     byte 4 + 4 l + b of row r's block: scales and minima
 *     byte 256 + 64 l + 4 r + b (l < 32, b < 4)   byte 16 + 4 l + b of row r's block: codes
 *
 * K is a multiple of 256.
 */
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {0, 2, 2, 0}, {2, 2, 2, 0}, {4, 12, 4, 0}, {16, 128, 4, 0},                                                    \
    }
#include "micro/families/k_quants/k_quant_block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(4.5);
