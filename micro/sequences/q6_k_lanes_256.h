/* SPDX-License-Identifier: BSD-3-Clause
 *
 * C halves of q6_k_m16.lanes with 256 bits: an eighth of a block of 8 rows, in the order that x86_64/q6_k_m16.lanes.256.inc loads. d of all rows, scales of
 * rows r % 4, two lines of upper bits, four of lower ones.
 */
#ifndef MICRO_SEQUENCES_Q6_K_LANES_256_H
#define MICRO_SEQUENCES_Q6_K_LANES_256_H

#include "micro/sequences/blocks.h"
#include "micro/sequences/lanes_starts.h"
#include "micro/sequences/q6_k_lanes_operand.h"

enum { ROWS = 8, SCALES = 2, HIGH = 18, LOW = 82, EIGHTH = 210 };

/** Lane r is row r: columns 0 … 15 of it in the low nibbles, 16 … 31 in the high ones. */
static inline void q6_k_lanes_refer(const struct sequence_data *data, void *sum, double *magnitudes)
{
    const uint8_t *w = data->weights;
    double d = blocks_half(w) * blocks_float(data->activations + Q6_K_LANES_SCALE);
    for (uint32_t row = 0; row < ROWS; row++) {
        double value = 0, magnitude = 0;
        for (uint32_t column = 0; column < 32; column++) {
            uint32_t j = column / 16, line = column % 16 / 4, byte = 4 * row + column % 4;
            uint32_t low = w[LOW + 32 * line + byte] >> 4 * j & 15u;
            uint32_t high = w[HIGH + 32 * (line % 2) + byte] >> (4 * (line / 2) + 2 * j) & 3u;
            double one = d * (int8_t)w[SCALES + row % 4 * 4 + 2 * j] * (int8_t)data->activations[column];
            value += one * ((int32_t)(high << 4 | low) - 32);
            magnitude += fabs(one) * 64;
        }
        blocks_add(sum, magnitudes, row, value, magnitude);
    }
}

static inline void q6_k_lanes_fill(uint8_t *weights, uint8_t *activations, bool words, uint64_t seed)
{
    uint64_t state = seed;
    blocks_draw(weights, EIGHTH, (int8_t *)activations, 256, seed);
    blocks_draw_scales(weights, 1, &state);
    for (uint32_t group = 0; group < 16; group++)
        lanes_put_start(activations + Q6_K_LANES_START + 8 * group, (const int8_t *)activations + 16 * group, 16, -32,
                        words);
    blocks_put_float(activations + Q6_K_LANES_SCALE, 0.001 * (double)(1 + sequence_random(&state) % 100), 1);
}

#endif
