/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of one row of Q2_0 or PQ2_0, 64 or 128 columns as BLOCK_COLUMNS says, for block_format.h; q2_0/format.c and
 * pq2_0/format.c draw it.
 */
#ifndef MICRO_FORMATS_Q2_0_BLOCK_H
#define MICRO_FORMATS_Q2_0_BLOCK_H

#include <math.h>

#include "micro/families/blocks/block_layout.h"
#include "micro/isa/random.h"

enum {
    ROW_BLOCK_COLUMNS = BLOCK_COLUMNS,
    ROW_CODES = 2,
    ROW_BLOCK_BYTES = ROW_CODES + BLOCK_COLUMNS / 4,
    ROW_TRIALS = 8
};

static int32_t row_value(float quotient)
{
    return (int32_t)fminf(fmaxf(roundf(quotient), -1), 2);
}

/** The scale that is best for the values at 1 / scale = inverse: sum w v / sum v^2. @return how much of sum w^2 it explains */
static float row_try(const float *w, float inverse, float *scale)
{
    float products = 0, squares = 0;
    for (size_t i = 0; i < ROW_BLOCK_COLUMNS; i++) {
        float value = (float)row_value(inverse * w[i]);
        products += w[i] * value;
        squares += value * value;
    }
    *scale = squares > 0 ? products / squares : 0;
    return products * *scale;
}

/**
 * The scale with the least sum of squared errors of 16 candidates, each fitted to its values: of either sign, those that make the largest
 * magnitude 1 to 2.4 scales. Weights of -s, 0 and s alone are kept as they are.
 */
static void block_pack(const float *w, uint8_t *block)
{
    float most = 0, best = 0, best_scale = 0;
    for (size_t i = 0; i < ROW_BLOCK_COLUMNS; i++)
        most = fmaxf(most, fabsf(w[i]));
    for (int trial = 0; most > 0 && trial < 2 * ROW_TRIALS; trial++) {
        float scale, turns = 1 + 0.2f * (float)(trial / 2);
        float explained = row_try(w, (trial % 2 ? -turns : turns) / most, &scale);
        if (explained > best) {
            best = explained;
            best_scale = scale;
        }
    }
    memset(block, 0, ROW_BLOCK_BYTES);
    block_put_half(block, best_scale);
    float stored = half_float_at(block);
    for (size_t i = 0; i < ROW_BLOCK_COLUMNS; i++) {
        uint32_t code = (uint32_t)(stored != 0 ? row_value(w[i] / stored) + 1 : 1);
        block[ROW_CODES + i / 4] |= (uint8_t)(code << i % 4 * 2);
    }
}

static double block_weight(const uint8_t *block, uint32_t row, uint32_t column)
{
    int32_t code = block_byte(block, row, ROW_CODES + column / 4) >> column % 4 * 2 & 3;
    return block_half(block, row, 0) * (code - 1);
}

static void block_fill(uint8_t *block, uint64_t *random)
{
    block_put_half(block, random_float(random));
    random_bytes(block + ROW_CODES, ROW_BLOCK_BYTES - ROW_CODES, random);
}

#endif
