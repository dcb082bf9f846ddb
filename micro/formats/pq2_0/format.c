/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PQ2_0 of PrismML's llama.cpp (type 142 of its files, Ternary-Bonsai-2): 2-bit codes as q2_0 has them, in blocks of 128 of one row. The
 * models are ternary, and their files have no code 3; a block may.
 *
 *     panel = one row     step, 34 bytes = 128 columns
 *
 *     bytes 0, 1              scale, binary16
 *     byte 2 + m (m < 32)     bits   7 6       5 4       3 2      1 0
 *     column                       4 m + 3   4 m + 2   4 m + 1    4 m
 *
 * A weight is scale * (code - 1): -1, 0, 1 or 2 scales. K is a multiple of 128. What the model's rotation makes of activations is not the
 * format's business, and none of this tool's either.
 */
#include "micro/formats/q2_0/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(2.125);
