/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of Q6_K of sixteen rows, interleaved so that a 64-byte register holds the same four bytes of each: four groups' scales, upper
 * bits of four columns in each of four fields, or lower bits in each of two. As many bytes as q6_k.
 *
 *     panel = 16 rows     step, 3360 bytes = 256 columns
 *
 *     bytes 2 r, 2 r + 1 (r < 16)                  d of row r, binary16
 *     byte 32 + 64 m + 4 r + b (m < 4, b < 4)      byte 192 + 4 m + b of row r's block: the scale of group 4 m + b
 *     byte 288 + 64 l + 4 r + b (l < 16, b < 4)    byte 128 + 4 l + b: upper bits
 *     byte 1312 + 64 l + 4 r + b (l < 32, b < 4)   byte 4 l + b: lower bits
 *
 * K is a multiple of 256.
 */
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {208, 2, 2, 0}, {192, 16, 4, 0}, {128, 64, 4, 0},                                                              \
        {                                                                                                              \
            0, 128, 4, 0                                                                                               \
        }                                                                                                              \
    }
#include "micro/formats/q6_k/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(6.5625);
