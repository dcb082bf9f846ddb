/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q6_K of llama.cpp: 6-bit codes in blocks of 256 of one row, with a scale of 8 bits for each 16 columns.
 *
 *     panel = one row     step, 210 bytes = 256 columns
 *
 *     byte 64 h + m (h < 2, m < 64)        bits 7 … 4      3 … 0
 *     lower bits of column, from 128 h on       64 + m       m
 *     byte 128 + 32 h + m (h < 2, m < 32)  bits 7 6        5 4        3 2        1 0
 *     upper bits of column, from 128 h on      96 + m     64 + m     32 + m       m
 *     byte 192 + g (g < 16)                scale of columns 16 g … 16 g + 15, int8
 *     bytes 208, 209                       d, binary16
 *
 * A weight is d * scale * (code - 32). K is a multiple of 256.
 */
#include "micro/formats/q6_k/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(6.5625);
