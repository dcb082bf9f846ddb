/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of q1_0 of sixteen rows, interleaved so that a 64-byte register holds the same bytes of each. The same scales and codes as q1_0
 * has, and as many bytes.
 *
 *     panel = 16 rows     step, 288 bytes = 128 columns
 *
 *     bytes 2 r, 2 r + 1 (r < 16)               scale of row r, binary16
 *     byte 32 + 64 c + 4 r + b (c < 4, b < 4)   bit i
 *     column of row r                           32 c + 8 b + i
 *
 * A weight is scale where the bit is 1, -scale where it is 0. K is a multiple of 128.
 */
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {0, 2, 2, 0},                                                                                                  \
        {                                                                                                              \
            2, 16, 4, 0                                                                                                \
        }                                                                                                              \
    }
#include "micro/formats/q1_0/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(1.125);
