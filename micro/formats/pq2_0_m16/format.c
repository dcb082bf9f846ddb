/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of pq2_0 of sixteen rows, interleaved so that a 64-byte register holds the same bytes of each. The same scales and codes as pq2_0
 * has, and as many bytes.
 *
 *     panel = 16 rows     step, 544 bytes = 128 columns
 *
 *     bytes 2 r, 2 r + 1 (r < 16)               scale of row r, binary16
 *     byte 32 + 64 c + 4 r + b (c < 8, b < 4)   bits 2 i + 1, 2 i
 *     column of row r                           16 c + 4 b + i
 *
 * A weight is scale * (code - 1). K is a multiple of 128.
 */
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {0, 2, 2, 0},                                                                                                  \
        {                                                                                                              \
            2, 32, 4, 0                                                                                                \
        }                                                                                                              \
    }
#include "micro/formats/q2_0/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(2.125);
