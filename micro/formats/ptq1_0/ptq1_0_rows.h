/* SPDX-License-Identifier: BSD-3-Clause
 *
 * C halves of ptq1_0.rows: a block or, with 512 bits, two of each of four rows as they are stored, and activations as micro/formats/ptq1_0/rows_operand.h
 * has them.
 */
#ifndef MICRO_FORMATS_PTQ1_0_PTQ1_0_ROWS_H
#define MICRO_FORMATS_PTQ1_0_PTQ1_0_ROWS_H

#include "micro/families/blocks/blocks.h"
#include "micro/formats/ptq1_0/ptq1_0_digits.h"

enum { ROW_BLOCK = 28, ROW_BLOCKS = VECTOR_BYTES / 32 };

/** Where a byte of a block lies in a register. */
static inline uint32_t ptq1_0_rows_place(uint32_t block, uint32_t byte)
{
    return ROW_BLOCKS == 1 && byte >= 16 ? byte + 4 : ROW_BLOCK * block + byte;
}

/** `times`: how many times what they mean sums are, before they meet the scale of the activations. Of a lane all float sums of its row. */
static inline void ptq1_0_rows_refer(const struct sequence_data *data, uint32_t dot, int32_t times, void *sum,
                                     double *magnitudes)
{
    for (uint32_t column = 0; column < 128 * ROW_BLOCKS; column++) {
        const uint8_t *w = data->weights + (dot * ROW_BLOCKS + column / 128) * ROW_BLOCK;
        uint32_t byte = ptq1_0_byte(column % 128), digit = ptq1_0_digit(column % 128), fraction = w[byte];
        uint32_t place = ptq1_0_rows_place(column / 128, byte);
        for (uint32_t n = 0; n < digit; n++)
            fraction = fraction * 3 % 256;
        double scale =
            blocks_float(data->activations + PTQ1_0_ROWS_SCALE + place / 4 * 4) * times * blocks_half(w + 26);
        double one = scale * (int8_t)data->activations[VECTOR_BYTES * digit + place];
        blocks_add(sum, magnitudes, place / 4, one * ((int32_t)(fraction * 3 / 256) - 1), fabs(one));
    }
}

/** `start`: what of the activations of a lane its sum begins with. */
static inline void ptq1_0_rows_fill(uint8_t *weights, uint8_t *activations, int32_t start, uint64_t seed)
{
    uint64_t state = seed;
    int32_t starts[VECTOR_BYTES / 4] = {0};
    int8_t a[128 * ROW_BLOCKS];
    blocks_draw(weights, 4 * ROW_BLOCKS * ROW_BLOCK, a, sizeof a, seed);
    memset(activations, 0, ACTIVATION_BYTES);
    for (uint32_t block = 0; block < 4 * ROW_BLOCKS; block++)
        blocks_draw_scales(weights + ROW_BLOCK * block + 26, 1, &state);
    for (uint32_t column = 0; column < 128 * ROW_BLOCKS; column++) {
        uint32_t place = ptq1_0_rows_place(column / 128, ptq1_0_byte(column % 128));
        activations[VECTOR_BYTES * ptq1_0_digit(column % 128) + place] = (uint8_t)a[column];
        starts[place / 4] += start * a[column];
    }
    for (uint32_t lane = 0; lane < VECTOR_BYTES / 4; lane++) {
        blocks_put_int32(activations + PTQ1_0_ROWS_START + 4 * lane, starts[lane], 1);
        blocks_put_float(activations + PTQ1_0_ROWS_SCALE + 4 * lane, 0.01 / (start < -1 ? -start : 1), 1);
    }
}

#endif
