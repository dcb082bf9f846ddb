/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 256 columns of one row of Q3_K, 110 bytes, for block_format.h; q3_k/format.c draws it.
 */
#ifndef MICRO_FORMATS_Q3_K_BLOCK_H
#define MICRO_FORMATS_Q3_K_BLOCK_H

#include "micro/families/blocks/block_group_steps.h"

enum {
    ROW_BLOCK_COLUMNS = 256,
    ROW_BLOCK_BYTES = 110,
    ROW_CODES = 32,
    ROW_SCALES = 96,
    ROW_SCALES_HIGH = 104,
    ROW_D = 108,
    ROW_OFFSET = 4,        /* a code is so much more than its weight */
    ROW_SCALE_OFFSET = 32, /* and a scale than what it stands for */
};

/** Byte and bit of a column's lower two bits. */
static inline size_t row_low(size_t column)
{
    return ROW_CODES + column / 128 * 32 + column % 32;
}

static inline size_t row_low_bit(size_t column)
{
    return column % 128 / 32 * 2;
}

/** The step of each group, to the nearest of 32 parts of the largest; then each weight to the nearest code. */
static void block_pack(const float *w, uint8_t *block)
{
    float steps[GROUP_STEPS];
    memset(block, 0, ROW_BLOCK_BYTES);
    block_put_half(block + ROW_D, group_steps(w, ROW_OFFSET, ROW_SCALE_OFFSET, steps));
    float d = half_float_at(block + ROW_D);
    for (size_t group = 0; group < GROUP_STEPS; group++) {
        int32_t step = group_nearest(steps[group], d, -ROW_SCALE_OFFSET, 31);
        uint32_t scale = (uint32_t)(step + ROW_SCALE_OFFSET);
        block[ROW_SCALES + group % 8] |= (uint8_t)((scale & 15) << group / 8 * 4);
        block[ROW_SCALES_HIGH + group % 4] |= (uint8_t)(scale >> 4 << group / 4 * 2);
        for (size_t i = group * GROUP_COLUMNS; i < (group + 1) * GROUP_COLUMNS; i++) {
            uint32_t code = (uint32_t)(group_nearest(w[i], d * (float)step, -ROW_OFFSET, 3) + ROW_OFFSET);
            block[row_low(i)] |= (uint8_t)((code & 3) << row_low_bit(i));
            block[i % 32] |= (uint8_t)(code >> 2 << i / 32);
        }
    }
}

static double block_weight(const uint8_t *block, uint32_t row, uint32_t column)
{
    uint32_t group = column / 16;
    uint32_t low = block_byte(block, row, row_low(column)) >> row_low_bit(column) & 3;
    uint32_t high = block_byte(block, row, column % 32) >> column / 32 & 1;
    uint32_t scale = block_byte(block, row, ROW_SCALES + group % 8) >> group / 8 * 4 & 15;
    scale |= ((uint32_t)block_byte(block, row, ROW_SCALES_HIGH + group % 4) >> group / 4 * 2 & 3) << 4;
    int32_t whole = ((int32_t)scale - ROW_SCALE_OFFSET) * ((int32_t)(high << 2 | low) - ROW_OFFSET);
    return block_half(block, row, ROW_D) * whole;
}

static void block_fill(uint8_t *block, uint64_t *random)
{
    random_bytes(block, ROW_D, random);
    block_put_half(block + ROW_D, random_float(random) / 32);
}

#endif
