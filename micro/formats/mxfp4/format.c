/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MXFP4 [OCP Microscaling Formats 1.0] as GGUF files have it: 4-bit floats e2m1 in blocks of 32 of one row, each with a scale.
 *
 *     panel = one row     step, 17 bytes = 32 columns
 *
 *     byte 0                  e, of the scale 2^(e - 127)
 *     byte 1 + m (m < 16)     bits 7 6 5 4     3 2 1 0
 *     column                       16 + m            m
 *
 * A weight is scale * value, of 0, 0.5, 1, 1.5, 2, 3, 4, 6 and with bit 3 of the code their negatives. K is a multiple of 32.
 */
#include "micro/formats/mxfp4/block.h"

#include "micro/families/blocks/block_format.h"

const struct format SELF = BLOCK_FORMAT(4.25);
