/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of Q4_0 of four rows, interleaved in chunks of eight bytes as llama.cpp repacks them at run time for cores that
 * multiply matrices of 2 x 8 bytes ("4 x 8") [arm-kernels-codebooks, 4.1.1]: a register of 128 bits holds eight bytes of two rows.
 *
 *     panel = 4 rows     step, 72 bytes = 32 columns
 *
 *     bytes 2 r, 2 r + 1 (r < 4)                scale of row r, binary16
 *     byte 8 + 32 h + 8 r + b (h < 2, b < 8)   bits 7 6 5 4        3 2 1 0
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
