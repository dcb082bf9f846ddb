/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Group-wise codebooks, sixteen codebooks of four values [arm-kernels-codebooks, 5.3], of sixteen rows, interleaved so that a 64-byte register
 * holds the same group of 16 columns of each row. 82 bytes a row and block; micro/families/codebooks/codebook_block.h draws these.
 *
 *     panel = 16 rows     step, 1312 bytes = 256 columns
 *
 *     bytes 2 r, 2 r + 1 (r < 16)                  d of row r, binary16
 *     byte 32 + 64 m + 4 r + b (m < 4, b < 4)      scale and codebook of its columns 16 (4 m + b) … + 15
 *     byte 288 + 64 g + 4 r + b (g < 16, b < 4)    codes of its columns 16 g + 4 p + b (p < 4)
 *
 * K is a multiple of 256.
 */
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {0, 2, 2, 0}, {2, 16, 4, 0},                                                                                   \
        {                                                                                                              \
            18, 64, 4, 0                                                                                               \
        }                                                                                                              \
    }
#include "micro/families/codebooks/codebook_block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(2.5625);
