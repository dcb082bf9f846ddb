/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PTQ1_0 of PrismML's llama.cpp (type 143 of its files, Ternary-Bonsai-2): five ternary weights a byte, as tq1_0 has them, in blocks of 128 of
 * one row.
 *
 *     panel = one row     step, 28 bytes = 128 columns
 *
 *     byte m (m < 16)         5 digits   digit n is column       16 n + m
 *     byte 16 + m (m < 8)     5 digits   digit n is column  80 +  8 n + m
 *     byte 24 + m (m < 2)     4 digits   digit n is column 120 +  2 n + m
 *     bytes 26, 27            scale, binary16
 *
 * A byte is the fraction byte / 256 in base 3, rounded up, digit 0 the first after the point: multiply by 3, and the
 * digit is what overflows. A weight is scale * (digit - 1). K is a multiple of 128.
 */
#include "micro/formats/ptq1_0/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(1.75);
