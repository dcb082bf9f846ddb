/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of Q8_0 of sixteen rows, interleaved so that a 64-byte register holds four columns of each. As many bytes as q8_0;
 * the upper bit of each code is turned over, so that it is unsigned, 128 more than the weight over the scale.
 *
 *     panel = 16 rows     step, 544 bytes = 32 columns
 *
 *     bytes 2 r, 2 r + 1 (r < 16)               scale of row r, binary16
 *     byte 32 + 64 c + 4 r + b (c < 8, b < 4)   column 4 c + b of row r
 *
 * A weight is scale * (byte - 128). K is a multiple of 32.
 */
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {0, 2, 2, 0},                                                                                                  \
        {                                                                                                              \
            2, 32, 4, 128                                                                                              \
        }                                                                                                              \
    }
#include "micro/formats/q8_0/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(8.5);
