/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 64 columns of one row of NVFP4, 36 bytes, for block_format.h; nvfp4/format.c draws it.
 *
 * A scale is a float of 8 bits without a sign, ue4m3. Its exponent and mantissa, 7 bits further up, are those of a binary16 number 256 times
 * smaller, subnormal ones included: so kernels read them. Of the 0x7f that the standard has no number for, that makes 480; no quantizer
 * writes it, and llama.cpp reads 0.
 */
#ifndef MICRO_FORMATS_NVFP4_BLOCK_H
#define MICRO_FORMATS_NVFP4_BLOCK_H

#include <math.h>

#include "micro/families/blocks/block_layout.h"
#include "micro/formats/mxfp4/nearest.h"
#include "micro/isa/random.h"

enum { ROW_BLOCK_COLUMNS = 64, ROW_BLOCK_BYTES = 36, ROW_GROUP = 16, ROW_CODES = 4, ROW_SCALE_MOST = 0x7e };

static double row_scale(uint8_t byte)
{
    return 256 * (double)half_to_float((uint16_t)((byte & 0x7f) << 7));
}

/** The nearest byte of a scale that is not negative. */
static uint8_t row_scale_byte(float scale)
{
    uint32_t byte = ((uint32_t)half_from_float(fminf(scale, 448) / 256) + 64) >> 7;
    return (uint8_t)(byte < ROW_SCALE_MOST ? byte : ROW_SCALE_MOST);
}

/** Byte and bit of a column's code. */
static inline size_t row_code(size_t column)
{
    return ROW_CODES + column / ROW_GROUP * 8 + column % 8;
}

static inline size_t row_code_bit(size_t column)
{
    return column % ROW_GROUP / 8 * 4;
}

/** The scale that makes a group's largest magnitude the largest value, 6; then the nearest values. */
static void block_pack(const float *w, uint8_t *block)
{
    memset(block, 0, ROW_BLOCK_BYTES);
    for (size_t group = 0; group < ROW_BLOCK_COLUMNS / ROW_GROUP; group++) {
        float most = 0;
        for (size_t i = group * ROW_GROUP; i < (group + 1) * ROW_GROUP; i++)
            most = fmaxf(most, fabsf(w[i]));
        block[group] = row_scale_byte(most / 6);
        if (!block[group])
            continue;
        double scale = row_scale(block[group]);
        for (size_t i = group * ROW_GROUP; i < (group + 1) * ROW_GROUP; i++)
            block[row_code(i)] |= (uint8_t)(mxfp4_nearest(2 * (double)w[i] / scale) << row_code_bit(i));
    }
}

static double block_weight(const uint8_t *block, uint32_t row, uint32_t column)
{
    uint32_t code = block_byte(block, row, row_code(column)) >> row_code_bit(column) & 15;
    return row_scale(block_byte(block, row, column / ROW_GROUP)) / 2 * mxfp4_doubled[code];
}

/** Scales 2^-9 … 2^-2, subnormal ones as well. */
static void block_fill(uint8_t *block, uint64_t *random)
{
    for (size_t group = 0; group < ROW_BLOCK_COLUMNS / ROW_GROUP; group++)
        block[group] = (uint8_t)(1 + random_bits(random) % 40);
    random_bytes(block + ROW_CODES, ROW_BLOCK_BYTES - ROW_CODES, random);
}

#endif
