/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C half of blocks4 of Q4_K and Q5_K: x86_64/k_quant_blocks4.avx512_vnni.inc has the operand.
 */
#ifndef MICRO_FAMILIES_K_QUANTS_K_QUANT_BLOCKS4_H
#define MICRO_FAMILIES_K_QUANTS_K_QUANT_BLOCKS4_H

#include "micro/families/k_quants/k_quant_rows.h"

enum { BLOCKS = 4, MINIMA = 4 /* dot product; before it, one a block */ };

/** Place of a column among the activations of its block: as codes lie. */
static uint32_t place_of(uint32_t column)
{
    uint32_t group = column / 32;
    return 64 * (group / 4 * 2 + group % 2) + group % 4 / 2 * 32 + column % 32;
}

/** Quarters have 16 columns of two neighbouring groups, lanes eight. */
static uint32_t lane_of(uint32_t column)
{
    uint32_t group = column / 32;
    return (group % 4 / 2 * 2 + column % 32 / 16) * 4 + group % 2 * 2 + column % 16 / 8;
}

static void k_quant_blocks4_refer(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    for (uint32_t block = 0; block < BLOCKS; block++) {
        const uint8_t *w = data->weights + block * BLOCK_BYTES;
        double scale = blocks_float(data->activations + SCALES + 8 * block);
        int8_t a[256];
        int32_t sums[8] = {0};
        for (uint32_t column = 0; column < 256; column++) {
            a[column] = (int8_t)data->activations[256 * block + place_of(column)];
            sums[column / 32] += a[column];
        }
        if (dot == block)
            k_quant_refer_codes(w, a, scale, lane_of, sum, magnitudes);
        if (dot == MINIMA)
            k_quant_refer_minima(w, sums, scale, 4 * block + 2, 4, sum, magnitudes);
    }
}

static void k_quant_blocks4_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    blocks_draw(weights, BLOCKS * BLOCK_BYTES, (int8_t *)activations, LOWS, seed);
    memset(activations + LOWS, 0, SCALES - LOWS);
    for (uint32_t block = 0; block < BLOCKS; block++) {
        blocks_draw_scales(weights + block * BLOCK_BYTES, 2, &state);
        double scale = 0.001 * (double)(1 + sequence_random(&state) % 100);
        blocks_put_float(activations + SCALES + 8 * block, scale, 1);
        blocks_put_float(activations + SCALES + 8 * block + 4, -scale, 1);
        for (uint32_t group = 0; group < 8; group++) {
            int32_t sum = 0, high;
            for (uint32_t i = 0; i < 32; i++)
                sum += (int8_t)activations[256 * block + place_of(32 * group + i)];
            high = (sum + 4112) / 32 - 128;
            activations[HIGHS + 16 * block + 8 + group] = (uint8_t)high;
            activations[LOWS + 16 * block + 8 + group] = (uint8_t)(sum - 32 * high);
        }
    }
}

#endif
