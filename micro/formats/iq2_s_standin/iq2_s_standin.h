/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FORMATS_IQ2_S_STANDIN_IQ2_S_STANDIN_H
#define MICRO_FORMATS_IQ2_S_STANDIN_IQ2_S_STANDIN_H

#include "micro/families/blocks/blocks.h"
#include "micro/formats/iq2_s_standin/grid.h"

/**
 * C halves of iq2_s_standin: a block of 256 columns of a row as it is stored. Activations: 256 int8, and at SCALE, which the sequence
 * defines, an eighth of their scale as float. Lane l of `lanes` has columns n l … n l + n - 1 of each n * lanes, n neighbours: 4, or 2 where
 * products by pairs are added in 16 bits.
 */
static inline void iq2_s_refer_neighbours(const struct sequence_data *data, uint32_t neighbours, uint32_t lanes,
                                          void *sum, double *magnitudes)
{
    const uint8_t *w = data->weights;
    double scale = blocks_float(data->activations + SCALE) * blocks_half(w);
    for (uint32_t k = 0; k < 256; k++) {
        uint32_t v = k / 8, number = w[2 + v] | ((uint32_t)w[66 + v / 4] >> v % 4 * 2 & 3) << 8;
        int32_t weight =
            (2 * (w[74 + k / 32] >> k % 32 / 16 * 4 & 15) + 1) * iq2_s_magnitude(iq2_s_grid[number], k % 8);
        double value = scale * weight * ((const int8_t *)data->activations)[k] * (w[34 + v] >> k % 8 & 1 ? -1 : 1);
        blocks_add(sum, magnitudes, k / neighbours % lanes, value, fabs(value));
    }
}

static inline void iq2_s_refer(const struct sequence_data *data, uint32_t lanes, void *sum, double *magnitudes)
{
    iq2_s_refer_neighbours(data, 4, lanes, sum, magnitudes);
}

static inline void iq2_s_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    blocks_draw(weights + 2, 80, (int8_t *)activations, 256, seed);
    blocks_draw_scales(weights, 1, &state);
    blocks_put_float(activations + SCALE, 0.001 * (double)(1 + sequence_random(&state) % 100), 1);
}

#endif
