/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FAMILIES_BLOCK32_BLOCK32_PAIRS_H
#define MICRO_FAMILIES_BLOCK32_BLOCK32_PAIRS_H

#include "micro/families/block32/block32.h"

/**
 * C halves of products of matrices: rows of blocks of 32, interleaved by eight bytes, as many rows as a register has 32-bit lanes, times
 * a pair of tokens. Lane `lane` of dot product `dot` is row rows / 2 * dot + lane / 2 and token lane % 2.
 *
 *     weights: scales; 8 bytes of each row in turns. Of 4 bits, byte k of a row holds weight k (low nibble) and k + 16 (high)
 *     activations: 4 x (8 of token 0, 8 of token 1), then the two tokens' scales as float
 */
enum { PAIRS_SCALES = 64, PAIRS_BYTES = 72 };

/** Weight k of a row over its scale; values: of a code of 4 bits, NULL where bytes are weights. */
static inline int32_t block32_pairs_weight(const uint8_t *weights, uint32_t rows, const int8_t *values, uint32_t row,
                                           uint32_t k)
{
    uint32_t in_row = values ? k % 16 : k, byte = 2 * rows + in_row / 8 * 8 * rows + 8 * row + k % 8;
    return values ? values[blocks_code(weights, 8 * byte + k / 16 * 4, 4)] : (int8_t)weights[byte];
}

static inline void block32_pairs_refer(const struct sequence_data *data, uint32_t rows, uint32_t dot,
                                       const int8_t *values, void *sum, double *magnitudes)
{
    const int8_t *activations = (const int8_t *)data->activations;
    for (uint32_t lane = 0; lane < rows; lane++) {
        uint32_t row = rows / 2 * dot + lane / 2, token = lane % 2;
        double scale =
            blocks_half(data->weights + 2 * row) * blocks_float(data->activations + PAIRS_SCALES + 4 * token);
        double magnitude = 0;
        int32_t products = 0;
        for (uint32_t k = 0; k < 32; k++) {
            int32_t product =
                block32_pairs_weight(data->weights, rows, values, row, k) * activations[k / 8 * 16 + 8 * token + k % 8];
            products += product;
            magnitude += fabs(scale * product);
        }
        blocks_add(sum, magnitudes, lane, scale * products, magnitude);
    }
}

/** The same rows times the first token alone, 32 activations in their order and then its scale: lane `lane` is that row. */
static inline void block32_eights_refer(const struct sequence_data *data, uint32_t rows, const int8_t *values,
                                        void *sum, double *magnitudes)
{
    const int8_t *activations = (const int8_t *)data->activations;
    for (uint32_t row = 0; row < rows; row++) {
        double scale = blocks_half(data->weights + 2 * row) * blocks_half(data->activations + BLOCK32_HALF);
        double magnitude = 0;
        int32_t products = 0;
        for (uint32_t k = 0; k < 32; k++) {
            int32_t product = block32_pairs_weight(data->weights, rows, values, row, k) * activations[k];
            products += product;
            magnitude += fabs(scale * product);
        }
        blocks_add(sum, magnitudes, row, scale * products, magnitude);
    }
}

static inline void block32_eights_fill(uint8_t *weights, uint8_t *activations, uint32_t rows, uint32_t code_bytes,
                                       uint64_t seed)
{
    uint64_t state = seed;
    blocks_draw(weights + 2 * rows, code_bytes * rows, (int8_t *)activations, 32, seed);
    blocks_draw_scales(weights, rows, &state);
    blocks_draw_scales(activations + BLOCK32_HALF, 1, &state);
    blocks_put_float(activations + BLOCK32_FLOAT, blocks_half(activations + BLOCK32_HALF), 1);
}

/** code_bytes: of a row, 16 or 32. */
static inline void block32_pairs_fill(uint8_t *weights, uint8_t *activations, uint32_t rows, uint32_t code_bytes,
                                      uint64_t seed)
{
    uint64_t state = seed;
    uint8_t scales[4];
    blocks_draw(weights + 2 * rows, code_bytes * rows, (int8_t *)activations, PAIRS_SCALES, seed);
    blocks_draw_scales(weights, rows, &state);
    blocks_draw_scales(scales, 2, &state);
    for (uint32_t token = 0; token < 2; token++)
        blocks_put_float(activations + PAIRS_SCALES + 4 * token, blocks_half(scales + 2 * token), 1);
}

#endif
