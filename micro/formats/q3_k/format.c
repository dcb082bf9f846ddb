/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q3_K of llama.cpp: 3-bit codes in blocks of 256 of one row, with a scale of 6 bits for each 16 columns.
 *
 *     panel = one row     step, 110 bytes = 256 columns
 *
 *     byte m (m < 32)                      bits 7 … 4                  bits 3 … 0
 *     upper bit of column, bit b                32 b + m                    32 b + m
 *     byte 32 + 32 h + m (h < 2, m < 32)   bits 7 6        5 4        3 2        1 0
 *     lower bits of column, from 128 h on      96 + m     64 + m     32 + m       m
 *     byte 96 + g (g < 8)                  bits 7 … 4                  bits 3 … 0
 *     lower bits of the scale of group          8 + g                       g
 *     byte 104 + g (g < 4)                 bits 7 6        5 4        3 2        1 0
 *     upper bits of the scale of group         12 + g      8 + g      4 + g       g
 *     bytes 108, 109                       d, binary16
 *
 * A weight is d * (scale - 32) * (code - 4). K is a multiple of 256.
 */
#include "micro/formats/q3_k/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(3.4375);
