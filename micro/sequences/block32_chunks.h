/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_SEQUENCES_BLOCK32_CHUNKS_H
#define MICRO_SEQUENCES_BLOCK32_CHUNKS_H

#include "micro/sequences/block32.h"

/**
 * C halves of blocks of 32 nibbles of four or eight rows, interleaved in chunks: their scales, then for each eight weights k eight bytes of
 * each row in turn, in which byte b holds weights k + b (low) and k + b + 16 (high) [arm-kernels-codebooks, 4.1.1].
 *
 * Activations: 32 int8, at CHUNKS_START four int32, where sums begin, and at CHUNKS_SCALE their scale as float.
 */
enum { CHUNKS_CHUNK = 8, CHUNKS_START = 32, CHUNKS_SCALE = 48 };

/** Place of the byte of weight k of a row among the codes. */
static inline uint32_t chunks_place(uint32_t rows, uint32_t row, uint32_t k)
{
    return (k % 16 / CHUNKS_CHUNK * rows + row) * CHUNKS_CHUNK + k % CHUNKS_CHUNK;
}

/** Lane of 32 bits that gets the product: of the byte's place; or with 8 lanes and 8 rows that of the row, as two registers are joined. */
static inline uint32_t chunks_lane(uint32_t rows, uint32_t lanes, uint32_t row, uint32_t k)
{
    static const uint8_t joined[8] = {0, 1, 4, 5, 2, 3, 6, 7};
    return rows == 8 && lanes == 8 ? joined[row] : chunks_place(rows, row, k) / 4 % lanes;
}

/** sequence_reference of a group of one dot product. */
static inline void chunks_refer(const struct sequence_data *data, uint32_t rows, uint32_t lanes,
                                const int8_t values[16], void *sum, double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    for (uint32_t row = 0; row < rows; row++) {
        double scale = blocks_half(data->weights + 2 * row) * blocks_float(data->activations + CHUNKS_SCALE);
        for (uint32_t lane = 0; lane < lanes; lane++) {
            double magnitude = 0;
            int32_t products = 0;
            for (uint32_t k = 0; k < 32; k++) {
                if (chunks_lane(rows, lanes, row, k) != lane)
                    continue;
                uint32_t bit = 8 * (2 * rows + chunks_place(rows, row, k)) + k / 16 * 4;
                int32_t product = values[blocks_code(data->weights, bit, 4)] * a[k];
                products += product;
                magnitude += fabs(scale * product);
            }
            blocks_add(sum, magnitudes, lane, scale * products, magnitude);
        }
    }
}

/** sequence_fill: codes are `offset` more than weights when they are multiplied, in `starts` lanes of each row. */
static inline void chunks_fill(uint8_t *weights, uint8_t *activations, uint32_t rows, int32_t offset, uint32_t starts,
                               uint64_t seed)
{
    const int8_t *a = (const int8_t *)activations;
    int32_t start[4] = {0};
    block32_fill(weights, activations, BLOCK32_INTERLEAVED, rows, seed);
    double scale = blocks_float(activations + BLOCK32_FLOAT);
    for (uint32_t k = 0; k < 32; k++)
        start[k / 4 % starts] -= offset * a[k];
    for (uint32_t i = 0; i < 4; i++)
        blocks_put_int32(activations + CHUNKS_START + 4 * i, start[i], 1);
    blocks_put_float(activations + CHUNKS_SCALE, scale, 1);
}

#endif
