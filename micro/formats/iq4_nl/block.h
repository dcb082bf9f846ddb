/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 32 columns of one row of IQ4_NL, 18 bytes, for block_format.h; iq4_nl/format.c draws it.
 */
#ifndef MICRO_FORMATS_IQ4_NL_BLOCK_H
#define MICRO_FORMATS_IQ4_NL_BLOCK_H

#include <math.h>

#include "micro/families/blocks/block_layout.h"
#include "micro/formats/iq4_nl/codebook.h"
#include "micro/isa/random.h"

enum { ROW_BLOCK_COLUMNS = 32, ROW_BLOCK_BYTES = 18, ROW_CODES = 2, ROW_VALUES = 16, ROW_TRIALS = 7 };

static const int8_t row_codebook[ROW_VALUES] = {IQ4_NL_CODEBOOK};

/** The code whose value is nearest; of two alike the lower one. Values ascend. */
static uint32_t row_nearest(float value)
{
    uint32_t code = 0;
    while (code + 1 < ROW_VALUES && value > 0.5f * (float)(row_codebook[code] + row_codebook[code + 1]))
        code++;
    return code;
}

/** Codes for 1 / scale = inverse, and the scale that is then best: sum w v / sum v^2. @return how much of sum w^2 it explains */
static float row_try(const float *w, float inverse, uint8_t *codes, float *scale)
{
    float products = 0, squares = 0;
    for (size_t i = 0; i < ROW_BLOCK_COLUMNS; i++) {
        codes[i] = (uint8_t)row_nearest(inverse * w[i]);
        float value = (float)row_codebook[codes[i]];
        products += w[i] * value;
        squares += value * value;
    }
    *scale = products / squares; /* no value is 0 */
    return products * *scale;
}

/**
 * The scale with the least sum of squared errors of 15 candidates, each fitted to its codes: those that make the weight of the
 * largest magnitude -120 to -134, where -127 is the first value. Then each weight the nearest value at the scale as it is stored.
 */
static void block_pack(const float *w, uint8_t *block)
{
    float most = 0, best = 0, best_scale = 0;
    uint8_t codes[ROW_BLOCK_COLUMNS];
    for (size_t i = 0; i < ROW_BLOCK_COLUMNS; i++)
        most = fabsf(w[i]) > fabsf(most) ? w[i] : most;
    for (int trial = -ROW_TRIALS; most != 0 && trial <= ROW_TRIALS; trial++) {
        float scale, explained = row_try(w, (float)(row_codebook[0] + trial) / most, codes, &scale);
        if (explained > best) {
            best = explained;
            best_scale = scale;
        }
    }
    memset(block, 0, ROW_BLOCK_BYTES);
    block_put_half(block, best_scale);
    float stored = half_float_at(block);
    for (size_t i = 0; i < ROW_BLOCK_COLUMNS; i++)
        block[ROW_CODES + i % 16] |= (uint8_t)(row_nearest(stored != 0 ? w[i] / stored : 0) << i / 16 * 4);
}

static double block_weight(const uint8_t *block, uint32_t row, uint32_t column)
{
    return block_half(block, row, 0) *
           row_codebook[block_byte(block, row, ROW_CODES + column % 16) >> column / 16 * 4 & 15];
}

static void block_fill(uint8_t *block, uint64_t *random)
{
    block_put_half(block, random_float(random) / 16);
    random_bytes(block + ROW_CODES, ROW_BLOCK_BYTES - ROW_CODES, random);
}

#endif
