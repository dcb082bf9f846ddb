/* SPDX-License-Identifier: BSD-3-Clause
 *
 * C halves of ptq1_0_m16.lanes: a block of 8 or 16 rows, interleaved as micro/kernels/ptq1_0_m16/format.c draws it.
 */
#ifndef MICRO_SEQUENCES_PTQ1_0_LANES_H
#define MICRO_SEQUENCES_PTQ1_0_LANES_H

#include "micro/sequences/blocks.h"
#include "micro/sequences/ptq1_0_digits.h"
#include "micro/sequences/ptq1_0_operand.h"

/** The digit, less 1, of a column of a row. */
static inline int32_t ptq1_0_lanes_weight(const uint8_t *w, uint32_t rows, uint32_t row, uint32_t column)
{
    uint32_t byte = ptq1_0_byte(column);
    uint32_t at = byte < 24 ? 4 * rows * (1 + byte / 4) + 4 * row + byte % 4 : 2 * rows + 2 * row + byte % 2;
    uint32_t fraction = w[at];
    for (uint32_t n = 0; n < ptq1_0_digit(column); n++)
        fraction = fraction * 3 % 256;
    return (int32_t)(fraction * 3 / 256) - 1;
}

/** `times`: how many times what they mean sums are, before they meet the scale of the activations. */
static inline void ptq1_0_lanes_refer(const struct sequence_data *data, uint32_t rows, int32_t times, void *sum,
                                      double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    double scale = blocks_float(data->activations + PTQ1_0_SCALE) * times;
    for (uint32_t row = 0; row < rows; row++) {
        double value = 0, magnitude = 0, d = blocks_half(data->weights + 2 * row) * scale;
        for (uint32_t column = 0; column < 128; column++) {
            double one = d * a[ptq1_0_place(column)];
            value += one * ptq1_0_lanes_weight(data->weights, rows, row, column);
            magnitude += fabs(one);
        }
        blocks_add(sum, magnitudes, row, value, magnitude);
    }
}

/** `times`: what of their activations sums begin with. */
static inline void ptq1_0_lanes_fill(uint8_t *weights, uint8_t *activations, uint32_t rows, int32_t times,
                                     uint64_t seed)
{
    uint64_t state = seed;
    int32_t total = 0;
    blocks_draw(weights, 28 * rows, (int8_t *)activations, 128, seed);
    blocks_draw_scales(weights, rows, &state);
    for (uint32_t column = 0; column < 128; column++)
        total += (int8_t)activations[column];
    double scale = 0.001 * (double)(1 + sequence_random(&state) % 100);
    blocks_put_float(activations + PTQ1_0_SCALE, times > 1 ? scale / times : scale, 1);
    blocks_put_int32(activations + PTQ1_0_START, times * total, 1);
}

#endif
