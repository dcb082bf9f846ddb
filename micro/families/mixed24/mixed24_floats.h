/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FAMILIES_MIXED24_MIXED24_FLOATS_H
#define MICRO_FAMILIES_MIXED24_MIXED24_FLOATS_H

#include "micro/families/blocks/blocks.h"

/**
 * C halves of mixed24 (micro/quantization/mixed24.h) with activations that are floats, one a column: a step of 16 rows as it lies, or of 8 rows, which
 * has half the lanes of each register, half the words, and one scale2 and zero2 for the groups 0 and 2 and one for 1 and 3, so that
 * half a step is half its bytes.
 */
enum { MIXED24_FLOATS_COLUMNS = 64, MIXED24_FLOATS_GROUP = 16 };

/** Scale and zero of a group are one for all rows in group 3, and of the row's own in its word in the others. */
static inline double mixed24_floats_weight(const uint8_t *step, uint32_t rows, uint32_t row, uint32_t column)
{
    static const uint32_t scale_shifts[3] = {6, 10, 13}, scale_bits[3] = {4, 3, 3};
    uint32_t group = column / MIXED24_FLOATS_GROUP, c = column % MIXED24_FLOATS_GROUP, pairs = rows / 4;
    const uint8_t *lane = step + 4 * row, *word = step + 20 * rows + 2 * row, *scale2 = step + 22 * rows;
    double scale = blocks_half(scale2 + 2 * (group % pairs));
    int32_t zero2 = (int8_t)scale2[2 * pairs + group % pairs];
    if (group == 3)
        return scale * ((int32_t)blocks_code(lane + 4 * rows * (3 + c / 8), 8 * (c % 4) + c % 8 / 4 * 4, 4) - zero2);
    uint32_t fields = word[0] | (uint32_t)word[1] << 8;
    int32_t zero = fields >> 2 * group & 3,
            code = (int32_t)blocks_code(lane + 4 * rows * group, 8 * (c % 4) + c / 4 * 2, 2);
    int32_t scale1 = (int32_t)(fields >> scale_shifts[group] & ((1u << scale_bits[group]) - 1));
    return scale * (scale1 - zero2) * (code - zero);
}

/** Adds the step of each row, one a lane: dot product 0. */
static inline void mixed24_floats_refer(const struct sequence_data *data, uint32_t rows, void *sum, double *magnitudes)
{
    for (uint32_t row = 0; row < rows; row++) {
        double value = 0, magnitude = 0;
        for (uint32_t c = 0; c < MIXED24_FLOATS_COLUMNS; c++) {
            double term = mixed24_floats_weight(data->weights, rows, row, c) * blocks_float(data->activations + 4 * c);
            value += term;
            magnitude += fabs(term);
        }
        blocks_add(sum, magnitudes, row, value, magnitude);
    }
}

static inline void mixed24_floats_fill(uint8_t *step, uint32_t rows, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    uint32_t pairs = rows / 4;
    reference_random_bytes(step, 22 * rows, &state);
    blocks_draw_scales(step + 22 * rows, pairs, &state);
    for (uint32_t group = 0; group < pairs; group++)
        step[22 * rows + 2 * pairs + group] = (uint8_t)(sequence_random(&state) % 128 - 112);
    for (uint32_t c = 0; c < MIXED24_FLOATS_COLUMNS; c++) {
        uint8_t half[2];
        blocks_draw_scales(half, 1, &state);
        blocks_put_float(activations + 4 * c, blocks_half(half), 1);
    }
}

#endif
