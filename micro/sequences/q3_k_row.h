/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_SEQUENCES_Q3_K_ROW_H
#define MICRO_SEQUENCES_Q3_K_ROW_H

#include "micro/sequences/blocks.h"
#include "micro/sequences/q3_k_operand.h"

/**
 * C halves of q3_k, a block of one row as it is stored: 32 bytes of upper bits, 64 of lower ones, 12 of scales, d. Activations: q3_k_operand.h.
 */
enum { Q3_K_ROW_CODES = 32, Q3_K_ROW_SCALES = 96, Q3_K_ROW_D = 108 };

static inline int32_t q3_k_row_code(const uint8_t *block, uint32_t column)
{
    uint32_t low =
        blocks_code(block + Q3_K_ROW_CODES, 8 * (column / 128 * 32 + column % 32) + column % 128 / 32 * 2, 2);
    return (int32_t)(blocks_code(block, 8 * (column % 32) + column / 32, 1) << 2 | low);
}

static inline int32_t q3_k_row_scale(const uint8_t *block, uint32_t group)
{
    uint32_t low = blocks_code(block + Q3_K_ROW_SCALES, 8 * (group % 8) + group / 8 * 4, 4);
    uint32_t high = blocks_code(block + Q3_K_ROW_SCALES + 8, 8 * (group % 4) + group / 4 * 2, 2);
    return (int32_t)(high << 4 | low) - 32;
}

/**
 * @param lane_of    what a column's code is added to
 * @param offset_of  what is 4 times too much of a column is taken from; where that is the same lane, weights are what is added
 * @param odd        how many times themselves fields of odd number are added: 4 or 1
 */
static inline void q3_k_row_refer(const struct sequence_data *data, uint32_t (*lane_of)(uint32_t column),
                                  uint32_t (*offset_of)(uint32_t column), int32_t odd, void *sum, double *magnitudes)
{
    double scale = blocks_half(data->weights + Q3_K_ROW_D) * blocks_float(data->activations + Q3_K_SCALE);
    for (uint32_t column = 0; column < 256; column++) {
        int32_t a = q3_k_row_scale(data->weights, column / 16) * (int8_t)data->activations[column];
        double one = scale * a * (column / 32 % 2 ? odd : 1), code = one * q3_k_row_code(data->weights, column);
        blocks_add(sum, magnitudes, lane_of(column), code, fabs(code));
        blocks_add(sum, magnitudes, offset_of(column), -4 * one, fabs(4 * one));
    }
}

static inline void q3_k_row_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    const int8_t *a = (const int8_t *)activations;
    uint64_t state = seed;
    blocks_draw(weights, Q3_K_ROW_D, (int8_t *)activations, 256, seed);
    blocks_draw_scales(weights + Q3_K_ROW_D, 1, &state);
    blocks_put_float(activations + Q3_K_SCALE, 0.001 * (double)(1 + sequence_random(&state) % 100), 1);
    for (uint32_t group = 0; group < 16; group++) {
        uint32_t field = group % 8 / 2, first = 64 * field + group / 8 * 32 + group % 2 * 16;
        int32_t total = 0;
        for (uint32_t k = 0; k < 16; k++) {
            activations[Q3_K_FIELDS + first + k] = activations[16 * group + k];
            total += a[16 * group + k];
        }
        for (uint32_t k = 0; k < 16; k += 4) {
            const int8_t *of = a + 16 * group + k;
            blocks_put_int32(activations + Q3_K_START + first + k,
                             (field % 2 ? -16 : -4) * (of[0] + of[1] + of[2] + of[3]), 1);
        }
        blocks_put_int16(activations + Q3_K_SUMS + 2 * group, total);
    }
}

#endif
