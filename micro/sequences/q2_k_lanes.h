/* SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef MICRO_SEQUENCES_Q2_K_LANES_H
#define MICRO_SEQUENCES_Q2_K_LANES_H

#include "micro/sequences/blocks.h"
#include "micro/sequences/q2_k_operand.h"

/**
 * C halves of q2_k_m16 with 256 bits: a quarter of a block of 8 rows, lanes are rows. In this order: four halves of d, which lanes take by turns and
 * which serve as dmin, too; a lane of four bytes a row, of which bytes 0 and 2 are scale and minimum of groups 0 and 2, and again of 4 and
 * 6; four lines of codes, of which byte b of line l has at bits 2 p column 32 p + 4 l + b. Activations: q2_k_operand.h, but all sums once.
 */
enum { Q2_K_LANES = 8, Q2_K_LANES_GROUPS = 8, Q2_K_LANES_CODES = 40 };

/** One dot product: codes times scales, less minima. */
static inline void q2_k_lanes_refer(const struct sequence_data *data, void *sum, double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    const uint8_t *w = data->weights;
    double scale = blocks_float(data->activations + Q2_K_SCALE);
    for (uint32_t lane = 0; lane < Q2_K_LANES; lane++) {
        double d = blocks_half(w + 2 * (lane % 4)), value = 0, magnitude = 0;
        for (uint32_t p = 0; p < 4; p++) {
            uint32_t byte = w[Q2_K_LANES_GROUPS + 4 * lane + p % 2 * 2];
            for (uint32_t k = 0; k < 16; k++) {
                uint32_t code = (uint32_t)w[Q2_K_LANES_CODES + k / 4 * 4 * Q2_K_LANES + 4 * lane + k % 4] >> 2 * p & 3;
                double by = d * scale * a[32 * p + k], minimum = byte >> 4;
                value += ((byte & 15) * code - minimum) * by;
                magnitude += ((byte & 15) * code + minimum) * fabs(by);
            }
        }
        blocks_add(sum, magnitudes, lane, value, magnitude);
    }
}

static inline void q2_k_lanes_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    int8_t *a = (int8_t *)activations;
    blocks_draw_scales(weights, 4, &state);
    blocks_draw(weights + Q2_K_LANES_GROUPS, 160, a, 256, seed);
    for (uint32_t group = 0; group < 16; group++) {
        int32_t total = 0;
        for (uint32_t k = 0; k < 16; k++)
            total += a[16 * group + k];
        blocks_put_int16(activations + Q2_K_SUMS + 2 * Q2_K_SUM_AT(group), total);
    }
    double scale = 0.001 * (double)(1 + sequence_random(&state) % 100);
    blocks_put_float(activations + Q2_K_SCALE, scale, 1);
    blocks_put_float(activations + Q2_K_MINIMA, -scale, 1);
}

#endif
