/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 32 columns of one row of Q8_0, 34 bytes, for block_format.h; q8_0/format.c draws it.
 */
#ifndef MICRO_FORMATS_Q8_0_BLOCK_H
#define MICRO_FORMATS_Q8_0_BLOCK_H

#include <math.h>

#include "micro/families/blocks/block_layout.h"
#include "micro/isa/random.h"

enum { ROW_BLOCK_COLUMNS = 32, ROW_BLOCK_BYTES = 34, ROW_CODES = 2 };

/** The largest magnitude becomes 127 scales; each weight the nearest code. */
static void block_pack(const float *w, uint8_t *block)
{
    float most = 0;
    for (size_t i = 0; i < ROW_BLOCK_COLUMNS; i++)
        most = fmaxf(most, fabsf(w[i]));
    float scale = most / 127;
    block_put_half(block, scale);
    for (size_t i = 0; i < ROW_BLOCK_COLUMNS; i++)
        block[ROW_CODES + i] = (uint8_t)(int8_t)(most > 0 ? roundf(w[i] / scale) : 0);
}

static double block_weight(const uint8_t *block, uint32_t row, uint32_t column)
{
    return block_half(block, row, 0) * (int8_t)block_byte(block, row, ROW_CODES + column);
}

static void block_fill(uint8_t *block, uint64_t *random)
{
    block_put_half(block, random_float(random) / 16);
    random_bytes(block + ROW_CODES, ROW_BLOCK_BYTES - ROW_CODES, random);
}

#endif
