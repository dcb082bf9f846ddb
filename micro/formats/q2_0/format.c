/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q2_0 of llama.cpp: 2-bit codes in blocks of 64 of one row, each with a scale.
 *
 *     panel = one row     step, 18 bytes = 64 columns
 *
 *     bytes 0, 1              scale, binary16
 *     byte 2 + m (m < 16)     bits   7 6       5 4       3 2      1 0
 *     column                       4 m + 3   4 m + 2   4 m + 1    4 m
 *
 * A weight is scale * (code - 1): -1, 0, 1 or 2 scales. K is a multiple of 64.
 */
#include "micro/formats/q2_0/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(2.25);
