/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FAMILIES_K_QUANTS_K_QUANT_ROWS_H
#define MICRO_FAMILIES_K_QUANTS_K_QUANT_ROWS_H

#include "micro/families/blocks/blocks.h"
#include "micro/families/k_quants/k_quant_scales.h"

/**
 * C halves of sequences of Q4_K and Q5_K, of which the layout.h of the format says K_QUANT_BITS, CODES and HIGH: blocks as they are
 * stored, row by row. Activations of a block by itself: 256 int8, then
 */
enum {
    K_QUANT_ROW_SUMS = 256, /* words: sums of 32 of them */
    K_QUANT_ROW_SCALE = 272 /* floats: their scale, its negative and two zeros */
};

/** The code of a column of a block of one row. */
static inline uint32_t k_quant_code(const uint8_t *block, uint32_t column)
{
    uint32_t code = (uint32_t)block[CODES + column / 64 * 32 + column % 32] >> column / 32 % 2 * 4 & 15;
#if K_QUANT_BITS == 5
    code |= ((uint32_t)block[HIGH + column % 32] >> column / 32 & 1) << 4;
#endif
    return code;
}

/** Adds what codes and scales are, times activations that `scale` belongs to; lane_of: of a column. */
static inline void k_quant_refer_codes(const uint8_t *block, const int8_t *a, double scale,
                                       uint32_t (*lane_of)(uint32_t), void *sum, double *magnitudes)
{
    double d = blocks_half(block) * scale;
    for (uint32_t column = 0; column < 256; column++) {
        double value = d * k_quant_scale(block, 0, column / 32) * k_quant_code(block, column) * a[column];
        blocks_add(sum, magnitudes, lane_of(column), value, fabs(value));
    }
}

/** Adds the minima, of two or four groups a lane. */
static inline void k_quant_refer_minima(const uint8_t *block, const int32_t *sums, double scale, uint32_t first_lane,
                                        uint32_t groups_a_lane, void *sum, double *magnitudes)
{
    double dmin = blocks_half(block + K_QUANT_DMIN) * scale;
    for (uint32_t group = 0; group < 8; group++) {
        double value = -dmin * k_quant_minimum(block, 0, group) * sums[group];
        blocks_add(sum, magnitudes, first_lane + group / groups_a_lane, value, fabs(value));
    }
}

/** Dot product 0 adds what codes and scales are, 1 what the minima are, of a block by itself. */
static inline void k_quant_refer_row(const struct sequence_data *data, uint32_t dot, uint32_t (*lane_of)(uint32_t),
                                     void *sum, double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    double scale = blocks_float(data->activations + K_QUANT_ROW_SCALE);
    int32_t sums[8] = {0};
    for (uint32_t column = 0; column < 256; column++)
        sums[column / 32] += a[column];
    if (dot == 0)
        k_quant_refer_codes(data->weights, a, scale, lane_of, sum, magnitudes);
    else
        k_quant_refer_minima(data->weights, sums, scale, 0, 2, sum, magnitudes);
}

/** A block by itself, of `bytes`. */
static inline void k_quant_fill_row(uint8_t *weights, size_t bytes, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    int8_t *a = (int8_t *)activations;
    blocks_draw_scales(weights, 2, &state);
    blocks_draw(weights + 4, bytes - 4, a, 256, seed);
    for (uint32_t group = 0; group < 8; group++) {
        int32_t total = 0;
        for (uint32_t i = 0; i < 32; i++)
            total += a[32 * group + i];
        blocks_put_int16(activations + K_QUANT_ROW_SUMS + 2 * group, total);
    }
    double scale = 0.001 * (double)(1 + sequence_random(&state) % 100);
    blocks_put_float(activations + K_QUANT_ROW_SCALE, scale, 1);
    blocks_put_float(activations + K_QUANT_ROW_SCALE + 4, -scale, 1);
    blocks_put_float(activations + K_QUANT_ROW_SCALE + 8, 0, 2);
}

#endif
