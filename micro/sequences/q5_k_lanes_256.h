/* SPDX-License-Identifier: BSD-3-Clause
 *
 * C halves of q5_k_m16.lanes with 256 bits: a group of 32 columns of 8 rows, whose memory x86_64/q5_k_m16.lanes.256.inc draws.
 */
#ifndef MICRO_SEQUENCES_Q5_K_LANES_256_H
#define MICRO_SEQUENCES_Q5_K_LANES_256_H

#include "micro/sequences/blocks.h"
#include "micro/sequences/q5_k_lanes_operand.h"

enum { ROWS = 8, STEPS = 0, MINIMA = 4, D = 8, HIGH = 16, CODES = 48, EIGHTH = 176 };

static inline void q5_k_lanes_refer(const struct sequence_data *data, void *sum, double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    const uint8_t *w = data->weights;
    double scale = blocks_float(data->activations + Q5_K_LANES_SCALE);
    for (uint32_t row = 0; row < ROWS; row++) {
        double value = 0, magnitude = 0, d = blocks_half(w + D + row % 4 * 2) * scale;
        for (uint32_t column = 0; column < 32; column++) {
            uint32_t half = column / 16, line = column % 16 / 4, byte = 4 * row + column % 4;
            uint32_t code = (uint32_t)w[CODES + 32 * line + byte] >> 4 * half & 15u;
            code |= ((uint32_t)w[HIGH + byte] >> (2 * line + half) & 1u) << 4;
            int32_t step = w[STEPS + row % 4] & 63, minimum = w[MINIMA + row % 2 * 2 + half] & 63;
            value += d * (step * (int32_t)code - minimum) * a[column];
            magnitude += fabs(d * (step * (int32_t)code + minimum) * a[column]);
        }
        blocks_add(sum, magnitudes, row, value, magnitude);
    }
}

static inline void q5_k_lanes_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    int8_t *a = (int8_t *)activations;
    blocks_draw(weights, EIGHTH, a, 32, seed);
    blocks_draw_scales(weights + D, 4, &state);
    for (uint32_t half = 0; half < 2; half++) {
        int32_t total = 0;
        for (uint32_t i = 0; i < 16; i++)
            total -= a[16 * half + i];
        blocks_put_int16(activations + Q5_K_LANES_SUMS + 2 * half, total);
    }
    blocks_put_float(activations + Q5_K_LANES_SCALE, 0.001 * (double)(1 + sequence_random(&state) % 100), 1);
}

#endif
