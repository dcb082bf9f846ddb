/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 256 columns of one row of Q6_K, 210 bytes, for block_format.h; q6_k/format.c draws it.
 */
#ifndef MICRO_FORMATS_Q6_K_BLOCK_H
#define MICRO_FORMATS_Q6_K_BLOCK_H

#include "micro/families/blocks/block_group_steps.h"

enum {
    ROW_BLOCK_COLUMNS = 256,
    ROW_BLOCK_BYTES = 210,
    ROW_HIGH = 128,
    ROW_SCALES = 192,
    ROW_D = 208,
    ROW_OFFSET = 32, /* a code is so much more than its weight */
};

/** Byte and bit of a column's lower four bits, and of its upper two. */
static inline size_t row_low(size_t column)
{
    return column / 128 * 64 + column % 64;
}

static inline size_t row_low_bit(size_t column)
{
    return column % 128 / 64 * 4;
}

static inline size_t row_high(size_t column)
{
    return ROW_HIGH + column / 128 * 32 + column % 32;
}

static inline size_t row_high_bit(size_t column)
{
    return column % 128 / 32 * 2;
}

/** The step of each group, to the nearest of 128 parts of the largest; then each weight to the nearest code. */
static void block_pack(const float *w, uint8_t *block)
{
    float steps[GROUP_STEPS];
    memset(block, 0, ROW_BLOCK_BYTES);
    block_put_half(block + ROW_D, group_steps(w, ROW_OFFSET, 128, steps));
    float d = half_float_at(block + ROW_D);
    for (size_t i = 0; i < ROW_BLOCK_COLUMNS; i++) {
        int32_t scale = group_nearest(steps[i / 16], d, -128, 127);
        uint32_t code = (uint32_t)(group_nearest(w[i], d * (float)scale, -ROW_OFFSET, 31) + ROW_OFFSET);
        block[ROW_SCALES + i / 16] = (uint8_t)scale;
        block[row_low(i)] |= (uint8_t)((code & 15) << row_low_bit(i));
        block[row_high(i)] |= (uint8_t)(code >> 4 << row_high_bit(i));
    }
}

static double block_weight(const uint8_t *block, uint32_t row, uint32_t column)
{
    uint32_t low = block_byte(block, row, row_low(column)) >> row_low_bit(column) & 15;
    uint32_t high = block_byte(block, row, row_high(column)) >> row_high_bit(column) & 3;
    int32_t scale = (int8_t)block_byte(block, row, ROW_SCALES + column / 16);
    return block_half(block, row, ROW_D) * (scale * ((int32_t)(high << 4 | low) - ROW_OFFSET));
}

static void block_fill(uint8_t *block, uint64_t *random)
{
    random_bytes(block, ROW_D, random);
    block_put_half(block + ROW_D, random_float(random) / 1024);
}

#endif
