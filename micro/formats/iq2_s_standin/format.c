/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of IQ2_S of llama.cpp with a STAND-IN for its grid (grid.inc): a weight is a magnitude of a vector of eight, of which there
 * are 1024, a sign and a scale. Bytes, look-ups and speed are those of IQ2_S; the values are not, so that it reads no file of that type, and
 * what it loses of a matrix says nothing about IQ2_S.
 *
 *     panel = one row     step, 82 bytes = 256 columns
 *
 *     bytes 0, 1                     d, binary16
 *     byte 2 + v (v < 32)            lower bits of the number of the vector of columns 8 v … 8 v + 7
 *     byte 34 + v                    bit j: column 8 v + j is negative
 *     byte 66 + i (i < 8)            bits 2 l, 2 l + 1 (l < 4): upper bits of the number of vector 4 i + l
 *     byte 74 + i                    scales of columns 32 i … + 15 (low nibble) and of the 16 after them (high)
 *
 * A weight is d * (scale + 1/2) / 4 * magnitude * sign. K is a multiple of 256.
 */
#include "micro/formats/iq2_s_standin/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(2.5625);
