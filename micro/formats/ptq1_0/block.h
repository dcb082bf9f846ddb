/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of one row of PTQ1_0 for block_format.h; format.c draws it.
 */
#ifndef MICRO_FORMATS_PTQ1_0_BLOCK_H
#define MICRO_FORMATS_PTQ1_0_BLOCK_H

#include <math.h>

#include "micro/families/blocks/block_layout.h"
#include "micro/formats/ptq1_0/ptq1_0_digits.h"
#include "micro/isa/random.h"

enum { ROW_BLOCK_COLUMNS = 128, ROW_SCALE = 26, ROW_BLOCK_BYTES = 28 };

/** Five digits of a number below 243, the first the most significant. */
static inline uint8_t row_fraction(uint32_t number)
{
    return (uint8_t)((number * 256 + 242) / 243);
}

/** The scale is the largest magnitude; each weight goes to the nearest of -1, 0, 1. */
static void block_pack(const float *w, uint8_t *block)
{
    static const uint32_t powers[5] = {81, 27, 9, 3, 1};
    uint32_t numbers[ROW_SCALE] = {0};
    float most = 0;
    for (uint32_t i = 0; i < ROW_BLOCK_COLUMNS; i++)
        most = fmaxf(most, fabsf(w[i]));
    for (uint32_t i = 0; i < ROW_BLOCK_COLUMNS; i++) {
        uint32_t digit = most > 0 ? (uint32_t)(lroundf(w[i] / most) + 1) : 1;
        numbers[ptq1_0_byte(i)] += digit * powers[ptq1_0_digit(i)];
    }
    for (uint32_t i = 0; i < ROW_SCALE; i++)
        block[i] = row_fraction(numbers[i]);
    block_put_half(block + ROW_SCALE, most);
}

static double block_weight(const uint8_t *block, uint32_t row, uint32_t column)
{
    uint32_t fraction = block_byte(block, row, ptq1_0_byte(column));
    for (uint32_t n = 0; n < ptq1_0_digit(column); n++)
        fraction = fraction * 3 % 256;
    return block_half(block, row, ROW_SCALE) * ((int32_t)(fraction * 3 / 256) - 1);
}

static void block_fill(uint8_t *block, uint64_t *random)
{
    for (uint32_t i = 0; i < ROW_SCALE; i++) {
        uint32_t number = (uint32_t)((random_bits(random) >> 32) * 243 >> 32);
        block[i] = row_fraction(i < 24 ? number : number / 3 * 3);
    }
    block_put_half(block + ROW_SCALE, random_float(random));
}

#endif
