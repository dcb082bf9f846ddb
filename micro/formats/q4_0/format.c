/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q4_0 of llama.cpp: 4-bit codes in blocks of 32 of one row, each with a scale.
 *
 *     panel = one row     step, 18 bytes = 32 columns
 *
 *     bytes 0, 1              scale, binary16
 *     byte 2 + m (m < 16)     bits 7 6 5 4     3 2 1 0
 *     column                       16 + m            m
 *
 * A weight is scale * (code - 8). K is a multiple of 32.
 */
#include "micro/formats/q4_0/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(4.5);
