/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 256 columns of one row of Q2_K, 84 bytes, for block_format.h; q2_k/format.c draws it.
 */
#ifndef MICRO_FORMATS_Q2_K_BLOCK_H
#define MICRO_FORMATS_Q2_K_BLOCK_H

#include <math.h>

#include "micro/families/blocks/block_layout.h"
#include "micro/families/blocks/block_range.h"
#include "micro/isa/random.h"

enum {
    ROW_BLOCK_COLUMNS = 256,
    ROW_BLOCK_BYTES = 84,
    ROW_GROUP = 16,
    ROW_GROUPS = 16,
    ROW_CODES = 16,
    ROW_D = 80,
    ROW_DMIN = 82
};

static void row_put_codes(const float *w, uint8_t *block)
{
    float d = half_float_at(block + ROW_D), dmin = half_float_at(block + ROW_DMIN);
    for (size_t i = 0; i < ROW_BLOCK_COLUMNS; i++) {
        uint32_t group = block[i / ROW_GROUP];
        float step = d * (float)(group & 15), minimum = dmin * (float)(group >> 4);
        block[ROW_CODES + i / 128 * 32 + i % 32] |=
            (uint8_t)(block_nearest(w[i] + minimum, step, 3) << i % 128 / 32 * 2);
    }
}

/** The ranges of the groups, to the nearest of 15 parts of the largest; then each weight to the nearest code. */
static void block_pack(const float *w, uint8_t *block)
{
    float step[ROW_GROUPS], minimum[ROW_GROUPS], step_most = 0, minimum_most = 0;
    for (size_t g = 0; g < ROW_GROUPS; g++) {
        block_range(w + g * ROW_GROUP, ROW_GROUP, 3, &step[g], &minimum[g]);
        step_most = fmaxf(step_most, step[g]);
        minimum_most = fmaxf(minimum_most, minimum[g]);
    }
    memset(block, 0, ROW_BLOCK_BYTES);
    block_put_half(block + ROW_D, step_most / 15);
    block_put_half(block + ROW_DMIN, minimum_most / 15);
    for (size_t g = 0; g < ROW_GROUPS; g++)
        block[g] = (uint8_t)(block_nearest(step[g], step_most / 15, 15) |
                             block_nearest(minimum[g], minimum_most / 15, 15) << 4);
    row_put_codes(w, block);
}

static double block_weight(const uint8_t *block, uint32_t row, uint32_t column)
{
    uint32_t group = block_byte(block, row, column / ROW_GROUP);
    uint32_t code = block_byte(block, row, ROW_CODES + column / 128 * 32 + column % 32) >> column % 128 / 32 * 2 & 3;
    return block_half(block, row, ROW_D) * ((group & 15) * code) - block_half(block, row, ROW_DMIN) * (group >> 4);
}

static void block_fill(uint8_t *block, uint64_t *random)
{
    random_bytes(block, ROW_D, random);
    block_put_half(block + ROW_D, random_float(random) / 15);
    block_put_half(block + ROW_DMIN, random_float(random) / 15);
}

#endif
