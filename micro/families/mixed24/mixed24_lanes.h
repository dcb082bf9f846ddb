/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FAMILIES_MIXED24_MIXED24_LANES_H
#define MICRO_FAMILIES_MIXED24_MIXED24_LANES_H

#include "micro/families/blocks/blocks.h"
#include "micro/families/mixed24/mixed24_operand_places.h"
#include "micro/quantization/mixed24.h"

/**
 * C half of mixed24.lanes: lane r of a register of sums is row r of a step, or with 8 lanes row 8 dot + r.
 */

enum { MIXED24_LANES = VECTOR_BYTES / 4 };

static inline void mixed24_lanes_refer(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    double scale = blocks_float(data->activations + MIXED24_SCALE);
    struct mixed24_step step;
    mixed24_get_step(data->weights, &step);
    for (uint32_t lane = 0; lane < MIXED24_LANES; lane++) {
        double value = 0, magnitude = 0;
        for (uint32_t column = 0; column < MIXED24_COLUMNS; column++) {
            double term = mixed24_weight(&step, MIXED24_LANES * dot + lane, column) * scale * a[column];
            value += term;
            magnitude += fabs(term);
        }
        blocks_add(sum, magnitudes, lane, value, magnitude);
    }
}

static inline void mixed24_lanes_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    int8_t *a = (int8_t *)activations;
    mixed24_fill_step(weights, &state);
    blocks_draw(weights, MIXED24_SCALE2, a, MIXED24_COLUMNS, seed);
    memset(activations + MIXED24_STARTS, 0, MIXED24_OPERAND_BYTES - MIXED24_STARTS);
    for (uint32_t group = 0; group < MIXED24_GROUPS; group++) {
        int32_t sum = 0;
        for (uint32_t column = 0; column < MIXED24_GROUP; column++)
            sum += a[MIXED24_GROUP * group + column];
        for (int32_t zero = 0; group < MIXED24_GROUPS2 && zero < 4; zero++)
            blocks_put_int32(activations + MIXED24_STARTS + 16 * group + 4 * (uint32_t)zero, -zero * sum, 1);
        if (group == MIXED24_GROUPS2)
            blocks_put_int32(activations + MIXED24_SUM, -sum, 1);
    }
    blocks_put_float(activations + MIXED24_SCALE, 0.001 * (double)(1 + sequence_random(&state) % 100), 1);
}

#endif
