/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of MXFP4 of sixteen rows, interleaved so that a 64-byte register holds the same bytes of each. The same scales and codes as mxfp4 has,
 * and as many bytes.
 *
 *     panel = 16 rows     step, 272 bytes = 32 columns
 *
 *     byte r (r < 16)                           e of row r, of the scale 2^(e - 127)
 *     byte 16 + 64 c + 4 r + b (c < 4, b < 4)   bits 7 6 5 4        3 2 1 0
 *     column of row r                           16 + 4 c + b        4 c + b
 *
 * A weight is scale * value as in mxfp4. K is a multiple of 32.
 */
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {0, 1, 1, 0},                                                                                                  \
        {                                                                                                              \
            1, 16, 4, 0                                                                                                \
        }                                                                                                              \
    }
#include "micro/formats/mxfp4/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(4.25);
