/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 32 columns of one row of MXFP4, 17 bytes, for block_format.h; mxfp4/format.c draws it.
 */
#ifndef MICRO_FORMATS_MXFP4_BLOCK_H
#define MICRO_FORMATS_MXFP4_BLOCK_H

#include <math.h>

#include "micro/families/blocks/block_layout.h"
#include "micro/formats/mxfp4/nearest.h"
#include "micro/isa/random.h"

enum { ROW_BLOCK_COLUMNS = 32, ROW_BLOCK_BYTES = 17, ROW_CODES = 1 };

/** The scale that leaves the largest magnitude its exponent of 4 to 6, as the standard has it; then the nearest values. */
static void block_pack(const float *w, uint8_t *block)
{
    float most = 0;
    for (size_t i = 0; i < ROW_BLOCK_COLUMNS; i++)
        most = fmaxf(most, fabsf(w[i]));
    int e = most > 0 ? ilogbf(most) - 2 + 127 : 0;
    e = e < 0 ? 0 : e;
    memset(block, 0, ROW_BLOCK_BYTES);
    block[0] = (uint8_t)e;
    for (size_t i = 0; i < ROW_BLOCK_COLUMNS; i++)
        block[ROW_CODES + i % 16] |= (uint8_t)(mxfp4_nearest(ldexp((double)w[i], 128 - e)) << i / 16 * 4);
}

static double block_weight(const uint8_t *block, uint32_t row, uint32_t column)
{
    uint32_t code = block_byte(block, row, ROW_CODES + column % 16) >> column / 16 * 4 & 15;
    return ldexp(mxfp4_doubled[code], block_byte(block, row, 0) - 128);
}

/** Scales 2^-8 … 2^-1. */
static void block_fill(uint8_t *block, uint64_t *random)
{
    block[0] = (uint8_t)(119 + random_bits(random) % 8);
    random_bytes(block + ROW_CODES, ROW_BLOCK_BYTES - ROW_CODES, random);
}

#endif
