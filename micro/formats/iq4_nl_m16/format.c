/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of IQ4_NL of sixteen rows, interleaved so that a 64-byte register holds the same bytes of each. The same scales and
 * codes as iq4_nl has, and as many bytes.
 *
 *     panel = 16 rows     step, 288 bytes = 32 columns
 *
 *     bytes 2 r, 2 r + 1 (r < 16)               scale of row r, binary16
 *     byte 32 + 64 c + 4 r + b (c < 4, b < 4)   bits 7 6 5 4        3 2 1 0
 *     column of row r                           16 + 4 c + b        4 c + b
 *
 * A weight is scale * codebook[code]. K is a multiple of 32.
 */
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {0, 2, 2, 0},                                                                                                  \
        {                                                                                                              \
            2, 16, 4, 0                                                                                                \
        }                                                                                                              \
    }
#include "micro/formats/iq4_nl/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(4.5);
