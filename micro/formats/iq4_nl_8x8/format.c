/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of IQ4_NL of eight rows, interleaved in chunks of eight bytes as those of q4_0_8x8 are, codes as they are
 * [arm-kernels-codebooks, 6.3].
 *
 *     panel = 8 rows     step, 144 bytes = 32 columns
 *
 *     bytes 2 r, 2 r + 1 (r < 8)                scale of row r, binary16
 *     byte 16 + 64 h + 8 r + b (h < 2, b < 8)   bits 7 6 5 4        3 2 1 0
 *     column of row r                           16 + 8 h + b        8 h + b
 *
 * A weight is scale * codebook[code]. K is a multiple of 32.
 */
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {0, 2, 2, 0},                                                                                                  \
        {                                                                                                              \
            2, 16, BLOCK_CHUNK, BLOCK_TURNED                                                                           \
        }                                                                                                              \
    }
#include "micro/formats/iq4_nl/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(4.5);
