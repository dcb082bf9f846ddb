/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 32 columns of one row of Q4_0, 18 bytes, for block_format.h; q4_0/format.c draws it.
 */
#ifndef MICRO_FORMATS_Q4_0_BLOCK_H
#define MICRO_FORMATS_Q4_0_BLOCK_H

#include <math.h>

#include "micro/families/blocks/block_layout.h"
#include "micro/isa/random.h"

enum { ROW_BLOCK_COLUMNS = 32, ROW_BLOCK_BYTES = 18, ROW_CODES = 2 };

/** The weight of the largest magnitude becomes code 0, which is -8 scales; the others the nearest code. */
static void block_pack(const float *w, uint8_t *block)
{
    float most = 0;
    for (size_t i = 0; i < ROW_BLOCK_COLUMNS; i++)
        most = fabsf(w[i]) > fabsf(most) ? w[i] : most;
    float scale = most / -8;
    memset(block, 0, ROW_BLOCK_BYTES);
    block_put_half(block, scale);
    for (size_t i = 0; i < ROW_BLOCK_COLUMNS; i++) {
        float code = most != 0 ? roundf(w[i] / scale) + 8 : 8;
        block[ROW_CODES + i % 16] |= (uint8_t)((uint32_t)fminf(code, 15) << i / 16 * 4);
    }
}

static double block_weight(const uint8_t *block, uint32_t row, uint32_t column)
{
    int32_t code = block_byte(block, row, ROW_CODES + column % 16) >> column / 16 * 4 & 15;
    return block_half(block, row, 0) * (code - 8);
}

static void block_fill(uint8_t *block, uint64_t *random)
{
    block_put_half(block, random_float(random));
    random_bytes(block + ROW_CODES, ROW_BLOCK_BYTES - ROW_CODES, random);
}

#endif
