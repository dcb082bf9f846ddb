/* SPDX-License-Identifier: BSD-3-Clause
 *
 * IQ4_NL of llama.cpp: 4-bit codes in blocks of 32 of one row, each with a scale; the codes number the values of a codebook.
 *
 *     panel = one row     step, 18 bytes = 32 columns
 *
 *     bytes 0, 1              scale, binary16
 *     byte 2 + m (m < 16)     bits 7 6 5 4     3 2 1 0
 *     column                       16 + m            m
 *
 * A weight is scale * codebook[code]. K is a multiple of 32.
 */
#include "micro/formats/iq4_nl/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(4.5);
