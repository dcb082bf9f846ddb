/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of Q2_K of eight rows, interleaved as llama.cpp repacks them at run time [arm-kernels-codebooks, 4.1.1, 6.4].
 *
 *     panel = 8 rows     step, 672 bytes = 256 columns
 *
 *     bytes 2 r, 2 r + 1 (r < 8)                  d of row r, binary16
 *     bytes 16 + 2 r, 17 + 2 r                    dmin of row r, binary16
 *     byte 32 + i (i < 128)                       scale and minimum of row i % 16 / 2, group 2 (i / 16) + i % 2
 *     byte 160 + 64 h + 8 r + b (h < 8, b < 8)    byte 16 + 8 h + b of row r's block: codes
 *
 * K is a multiple of 256.
 */
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {80, 2, 2, 0}, {82, 2, 2, 0}, {0, 16, 2, 0},                                                                   \
        {                                                                                                              \
            16, 64, 8, 0                                                                                               \
        }                                                                                                              \
    }
#include "micro/formats/q2_k/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(2.625);
