/* SPDX-License-Identifier: BSD-3-Clause
 *
 * C halves of q3_k_m16.lanes with 256 bits: a quarter of a block of 8 rows, in the order that x86_64/q3_k_m16.lanes.256.inc loads. Bytes 0-7 upper bits
 * of scales of rows r % 2, 8-11 d of these, 12-27 lower bits of scales of rows r % 4, then two lines of upper bits and four of lower ones.
 */
#ifndef MICRO_SEQUENCES_Q3_K_LANES_256_H
#define MICRO_SEQUENCES_Q3_K_LANES_256_H

#include "micro/sequences/blocks.h"
#include "micro/sequences/lanes_starts.h"
#include "micro/sequences/q3_k_lanes_operand.h"

enum { ROWS = 8, HIGH_SCALES = 0, D = 8, LOW_SCALES = 12, HIGH = 28, CODES = 92, QUARTER = 220 };

/** Scale of the group in field j, less 32. */
static inline int32_t q3_k_lanes_scale(const uint8_t *w, uint32_t row, uint32_t j)
{
    uint32_t low = w[LOW_SCALES + row % 4 * 4 + j] & 15u, high = w[HIGH_SCALES + row % 2 * 4 + j] & 3u;
    return (int32_t)(high << 4 | low) - 32;
}

/** Lane r is row r: columns 32 j … 32 j + 15 of it. */
static inline void q3_k_lanes_refer(const struct sequence_data *data, void *sum, double *magnitudes)
{
    const uint8_t *w = data->weights;
    double scale = blocks_float(data->activations + Q3_K_LANES_STEP) * Q3_K_LANES_PARTS;
    for (uint32_t row = 0; row < ROWS; row++) {
        double value = 0, magnitude = 0, d = blocks_half(w + D + row % 2 * 2);
        for (uint32_t at = 0; at < 64; at++) {
            uint32_t j = at / 16, k = at % 16, line = k / 4, byte = 4 * row + k % 4;
            uint32_t low = w[CODES + 32 * line + byte] >> 2 * j & 3u;
            uint32_t high = w[HIGH + 32 * (line % 2) + byte] >> (4 * (line / 2) + j) & 1u;
            double one = d * scale * q3_k_lanes_scale(w, row, j) * (int8_t)data->activations[32 * j + k];
            value += one * ((int32_t)(high << 2 | low) - 4);
            magnitude += fabs(one) * 8;
        }
        blocks_add(sum, magnitudes, row, value, magnitude);
    }
}

static inline void q3_k_lanes_fill(uint8_t *weights, uint8_t *activations, bool words, uint64_t seed)
{
    uint64_t state = seed;
    blocks_draw(weights, QUARTER, (int8_t *)activations, 256, seed);
    blocks_draw_scales(weights + D, 2, &state);
    for (uint32_t group = 0; group < 16; group++)
        lanes_put_start(activations + Q3_K_LANES_START + 4 * group, (const int8_t *)activations + 16 * group, 16,
                        group / 2 % 2 ? -16 : -4, words);
    double scale = 0.001 * (double)(1 + sequence_random(&state) % 100);
    blocks_put_float(activations + Q3_K_LANES_STEP, scale / Q3_K_LANES_PARTS, 1);
}

#endif
