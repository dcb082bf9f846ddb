/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q4_K of llama.cpp: 4-bit codes in blocks of 256 of one row, with a scale and a minimum of 6 bits for each 32 columns.
 *
 *     panel = one row     step, 144 bytes = 256 columns
 *
 *     bytes 0, 1                           d, binary16: of the scales
 *     bytes 2, 3                           dmin, binary16: of the minima
 *     bytes 4 … 15                         scales and minima: micro/families/k_quants/k_quant_scales.h draws them
 *     byte 16 + 32 j + m (j < 4, m < 32)   bits 7 6 5 4         3 2 1 0
 *     column                                  64 j + 32 + m     64 j + m
 *
 * A weight is d * scale * code - dmin * minimum. K is a multiple of 256.
 */
#include "micro/families/k_quants/k_quant_block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(4.5);
