/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_SEQUENCES_Q6_K_ROW_H
#define MICRO_SEQUENCES_Q6_K_ROW_H

#include "micro/sequences/blocks.h"
#include "micro/sequences/q6_k_operand.h"

/**
 * C halves of q6_k, a block of one row as it is stored: 128 bytes of lower bits, 64 of upper ones, 16 scales, d. Activations: q6_k_operand.h.
 */
enum { Q6_K_ROW_HIGH = 128, Q6_K_ROW_SCALES = 192, Q6_K_ROW_D = 208 };

static inline int32_t q6_k_row_code(const uint8_t *block, uint32_t column)
{
    uint32_t low = blocks_code(block, 8 * (column / 128 * 64 + column % 64) + column % 128 / 64 * 4, 4);
    uint32_t high =
        blocks_code(block + Q6_K_ROW_HIGH, 8 * (column / 128 * 32 + column % 32) + column % 128 / 32 * 2, 2);
    return (int32_t)(high << 4 | low);
}

/**
 * @param lane_of    what a column's code is added to
 * @param offset_of  what is 32 times too much of a column is taken from; where that is the same lane, weights are what is added
 */
static inline void q6_k_row_refer(const struct sequence_data *data, uint32_t (*lane_of)(uint32_t column),
                                  uint32_t (*offset_of)(uint32_t column), void *sum, double *magnitudes)
{
    double scale = blocks_half(data->weights + Q6_K_ROW_D) * blocks_float(data->activations + Q6_K_SCALE);
    for (uint32_t column = 0; column < 256; column++) {
        int32_t of_group = (int8_t)data->weights[Q6_K_ROW_SCALES + column / 16], a = (int8_t)data->activations[column];
        double code = scale * of_group * a * q6_k_row_code(data->weights, column), offset = scale * of_group * a * 32;
        blocks_add(sum, magnitudes, lane_of(column), code, fabs(code));
        blocks_add(sum, magnitudes, offset_of(column), -offset, fabs(offset));
    }
}

static inline void q6_k_row_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    const int8_t *a = (const int8_t *)activations;
    uint64_t state = seed;
    blocks_draw(weights, Q6_K_ROW_D, (int8_t *)activations, 256, seed);
    for (uint32_t group = 0; group < 16; group++) /* scales have ends of their own */
        weights[Q6_K_ROW_SCALES + group] = (uint8_t)(seed % 4 < 2 ? sequence_random(&state) >> 32
                                                     : group % 2  ? 127
                                                                  : 128);
    blocks_draw_scales(weights + Q6_K_ROW_D, 1, &state);
    blocks_put_float(activations + Q6_K_SCALE, 0.001 * (double)(1 + sequence_random(&state) % 100), 1);
    for (uint32_t group = 0; group < 16; group++) {
        int32_t total = 0;
        for (uint32_t k = 16 * group; k < 16 * group + 16; k += 4) {
            int32_t four = a[k] + a[k + 1] + a[k + 2] + a[k + 3];
            blocks_put_int32(activations + Q6_K_START + k, -32 * four, 1);
            total += four;
        }
        blocks_put_int16(activations + Q6_K_SUMS + 2 * group, total);
        blocks_put_int16(activations + Q6_K_MINUS_SUMS + group % 2 * 16 + group / 2 * 2, -total);
    }
}

#endif
