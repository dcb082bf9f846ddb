/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q8_0 of llama.cpp: int8 codes in blocks of 32 of one row, each with a scale.
 *
 *     panel = one row     step, 34 bytes = 32 columns
 *
 *     bytes 0, 1              scale, binary16
 *     byte 2 + m (m < 32)     code of column m, two's complement
 *
 * A weight is scale * code. K is a multiple of 32.
 */
#include "micro/formats/q8_0/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(8.5);
