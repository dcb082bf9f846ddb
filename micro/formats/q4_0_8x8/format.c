/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of Q4_0 of eight rows, interleaved in chunks of eight bytes as llama.cpp repacks them at run time for 256-bit
 * registers ("8 x 8") [arm-kernels-codebooks, 4.1.1]: a register holds eight bytes of each of four rows.
 *
 *     panel = 8 rows     step, 144 bytes = 32 columns
 *
 *     bytes 2 r, 2 r + 1 (r < 8)                scale of row r, binary16
 *     byte 16 + 64 h + 8 r + b (h < 2, b < 8)   bits 7 6 5 4        3 2 1 0
 *     column of row r                           16 + 8 h + b        8 h + b
 *
 * A nibble is the weight over the scale in two's complement: bit 3 of Q4_0's code, which is 8 more, turned over
 * [arm-kernels-codebooks, 4.1.2]. K is a multiple of 32.
 */
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {0, 2, 2, 0},                                                                                                  \
        {                                                                                                              \
            2, 16, BLOCK_CHUNK, BLOCK_TURNED                                                                           \
        }                                                                                                              \
    }
#include "micro/formats/q4_0/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(4.5);
