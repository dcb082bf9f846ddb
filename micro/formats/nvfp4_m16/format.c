/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of NVFP4 of sixteen rows, interleaved so that a 64-byte register holds the same bytes of each. The same scales and codes as nvfp4 has,
 * and as many bytes.
 *
 *     panel = 16 rows     step, 576 bytes = 64 columns
 *
 *     byte 16 g + r (g < 4, r < 16)             scale of columns 16 g … 16 g + 15 of row r, ue4m3
 *     byte 64 + 64 c + 4 r + b (c < 8, b < 4)   bits 7 6 5 4                           3 2 1 0
 *     column of row r                           16 (c / 2) + 8 + 4 (c mod 2) + b       16 (c / 2) + 4 (c mod 2) + b
 *
 * A weight is scale * value as in nvfp4. K is a multiple of 64.
 */
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {0, 4, 1, 0},                                                                                                  \
        {                                                                                                              \
            4, 32, 4, 0                                                                                                \
        }                                                                                                              \
    }
#include "micro/formats/nvfp4/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(4.5);
