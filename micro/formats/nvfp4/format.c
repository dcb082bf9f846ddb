/* SPDX-License-Identifier: BSD-3-Clause
 *
 * NVFP4 as GGUF files have it: 4-bit floats e2m1 in blocks of 64 of one row, with a scale for each 16 columns.
 *
 *     panel = one row     step, 36 bytes = 64 columns
 *
 *     byte g (g < 4)                 scale of columns 16 g … 16 g + 15, ue4m3: exponent in bits 6 … 3, mantissa below
 *     byte 4 + 8 g + m (m < 8)       bits 7 6 5 4         3 2 1 0
 *     column                         16 g + 8 + m         16 g + m
 *
 * A weight is scale * value, of 0, 0.5, 1, 1.5, 2, 3, 4, 6 and with bit 3 of the code their negatives. The scale of a whole matrix, where a file
 * has one, is a tensor of its own. K is a multiple of 64.
 */
#include "micro/formats/nvfp4/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(4.5);
