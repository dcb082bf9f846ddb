/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q2_K of llama.cpp: 2-bit codes in blocks of 256 of one row, with a scale and a minimum for each 16 columns.
 *
 *     panel = one row     step, 84 bytes = 256 columns
 *
 *     byte g (g < 16)                      bits 7 6 5 4     3 2 1 0
 *     of columns 16 g … 16 g + 15               minimum       scale
 *     byte 16 + 32 h + m (h < 2, m < 32)   bits 7 6        5 4        3 2        1 0
 *     column, from 128 h on                    96 + m     64 + m     32 + m       m
 *     bytes 80, 81                         d, binary16: of the scales
 *     bytes 82, 83                         dmin, binary16: of the minima
 *
 * A weight is d * scale * code - dmin * minimum. K is a multiple of 256.
 */
#include "micro/formats/q2_k/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(2.625);
