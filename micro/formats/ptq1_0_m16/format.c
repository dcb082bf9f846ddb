/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of ptq1_0 of sixteen rows, interleaved so that a 64-byte register holds the same four bytes of each. The same scales and digits as ptq1_0
 * has, and as many bytes.
 *
 *     panel = 16 rows     step, 448 bytes = 128 columns
 *
 *     bytes 2 r, 2 r + 1 (r < 16)               scale of row r, binary16
 *     byte 32 + 2 r + m (m < 2)                 byte 24 + m of row r's block: 4 digits
 *     byte 64 + 64 c + 4 r + b (c < 6, b < 4)   byte 4 c + b of row r's block: 5 digits
 *
 * A weight is scale * (digit - 1). K is a multiple of 128.
 */
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {26, 2, 2, 0}, {24, 2, 2, 0},                                                                                  \
        {                                                                                                              \
            0, 24, 4, 0                                                                                                \
        }                                                                                                              \
    }
#include "micro/formats/ptq1_0/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(1.75);
