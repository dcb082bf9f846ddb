/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_SEQUENCES_MXFP4_ROW_H
#define MICRO_SEQUENCES_MXFP4_ROW_H

#include "micro/sequences/block32.h"
#include "micro/sequences/mxfp4.h"

/**
 * C halves of MXFP4 a row at a time, 17 bytes a block as GGUF files have it: the byte of the scale, then byte i holds weights i (low
 * nibble) and i + 16 (high). Lane l of 8 has columns 4 l to 4 l + 3. Activations: as block32.h.
 */
static inline void mxfp4_refer_row(const struct sequence_data *data, void *sum, double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    double scale = ldexp(blocks_float(data->activations + BLOCK32_FLOAT), data->weights[0] - 128);
    for (uint32_t lane = 0; lane < 8; lane++) {
        int32_t products = 0;
        double magnitude = 0;
        for (uint32_t k = 4 * lane; k < 4 * lane + 4; k++) {
            int32_t product = mxfp4_twice(data->weights[1 + k % 16] >> k / 16 * 4 & 15) * a[k];
            products += product;
            magnitude += fabs(scale * product);
        }
        blocks_add(sum, magnitudes, lane, scale * products, magnitude);
    }
}

/** Scales 2^-7 to 2^8, so that nothing hides behind the tolerance. */
static inline void mxfp4_fill_row(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint8_t block[18];
    block32_fill(block, activations, BLOCK32_ROW, 8, seed);
    memcpy(weights + 1, block + 2, 16);
    weights[0] = (uint8_t)(120 + block[0] % 16);
}

#endif
