/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FORMATS_MXFP4_M16_LANES_H
#define MICRO_FORMATS_MXFP4_M16_LANES_H

#include "micro/families/block32/block32.h"
#include "micro/formats/mxfp4/mxfp4.h"

/**
 * C halves of mxfp4_m16: the exponents of `lanes` rows, a byte each, then for each four weights k a register in which byte 4 r + i holds weights k + i
 * (low nibble) and k + i + 16 of row r. Activations: block32_operand.h.
 */
static inline void mxfp4_refer_lanes(const struct sequence_data *data, uint32_t lanes, void *sum, double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        double scale = ldexp(blocks_float(data->activations + OPERAND_SCALE), data->weights[lane] - 128);
        double magnitude = 0;
        int32_t products = 0;
        for (uint32_t k = 0; k < 32; k++) {
            uint8_t byte = data->weights[lanes + k % 16 / 4 * 4 * lanes + 4 * lane + k % 4];
            int32_t product = mxfp4_twice(byte >> k / 16 * 4 & 15) * a[k];
            products += product;
            magnitude += fabs(scale * product);
        }
        blocks_add(sum, magnitudes, lane, scale * products, magnitude);
    }
}

/** Exponents of 2^-8 … 2^3. */
static inline void mxfp4_fill_lanes(uint8_t *weights, uint8_t *activations, uint32_t lanes, int32_t offset,
                                    uint64_t seed)
{
    uint64_t state = seed;
    blocks_draw(weights + lanes, 16 * lanes, (int8_t *)activations, 32, seed);
    for (uint32_t lane = 0; lane < lanes; lane++)
        weights[lane] = (uint8_t)(119 + sequence_random(&state) % 12);
    blocks_put_float(activations + OPERAND_SCALE, 0.001 * (double)(1 + sequence_random(&state) % 100), 1);
    block32_fill_starts(activations, offset, false);
}

#endif
