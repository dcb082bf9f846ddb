/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 128 columns of one row of Q1_0, 18 bytes, for block_format.h; q1_0/format.c draws it.
 */
#ifndef MICRO_FORMATS_Q1_0_BLOCK_H
#define MICRO_FORMATS_Q1_0_BLOCK_H

#include <math.h>

#include "micro/families/blocks/block_layout.h"
#include "micro/isa/random.h"

enum { ROW_BLOCK_COLUMNS = 128, ROW_BLOCK_BYTES = 18, ROW_CODES = 2 };

/** Signs, and the scale that leaves the least sum of squared errors to them: the mean of the magnitudes. */
static void block_pack(const float *w, uint8_t *block)
{
    float sum = 0;
    memset(block, 0, ROW_BLOCK_BYTES);
    for (size_t i = 0; i < ROW_BLOCK_COLUMNS; i++) {
        sum += fabsf(w[i]);
        block[ROW_CODES + i / 8] |= (uint8_t)((w[i] >= 0) << i % 8);
    }
    block_put_half(block, sum / ROW_BLOCK_COLUMNS);
}

static double block_weight(const uint8_t *block, uint32_t row, uint32_t column)
{
    int32_t code = block_byte(block, row, ROW_CODES + column / 8) >> column % 8 & 1;
    return block_half(block, row, 0) * (2 * code - 1);
}

static void block_fill(uint8_t *block, uint64_t *random)
{
    block_put_half(block, random_float(random));
    random_bytes(block + ROW_CODES, ROW_BLOCK_BYTES - ROW_CODES, random);
}

#endif
