/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q1_0 of llama.cpp: signs in blocks of 128 of one row, each with a scale.
 *
 *     panel = one row     step, 18 bytes = 128 columns
 *
 *     bytes 0, 1              scale, binary16
 *     byte 2 + m (m < 16)     bits    7         6     ...   1         0
 *     column                       8 m + 7   8 m + 6  ... 8 m + 1    8 m
 *
 * A weight is scale where the bit is 1, -scale where it is 0. K is a multiple of 128.
 */
#include "micro/formats/q1_0/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(1.125);
