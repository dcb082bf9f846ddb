/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FAMILIES_BLOCK32_BLOCK32_H
#define MICRO_FAMILIES_BLOCK32_BLOCK32_H

#include <stdbool.h>

#include "micro/families/block32/block32_operand.h"
#include "micro/families/blocks/blocks.h"

/**
 * C halves of q4_0, iq4_nl and q8_0: blocks of 32 codes of 4 bits with a half-precision scale, 18 bytes. A weight is
 *
 *     scale * values[code],
 *
 * and a block adds scale * activation scale * sum values[code] a to its row. The order of the same bytes is the
 * sequence's choice:
 *
 *   BLOCK32_ROW          one row as it is stored: scale, then byte i holds weights i (low nibble) and i + 16 (high)
 *   BLOCK32_ROW_PAIRS    the same; a lane adds columns i, i + 1, i + 8 and i + 9 of each 16, as products in pairs of 16 bits do
 *   BLOCK32_INTERLEAVED  8 rows: 8 scales; then for each four weights k a register in which byte 4 r + i holds weights
 *                        k + i (low) and k + i + 16 (high) of row r                [arm-kernels-codebooks, 4.1.1]
 *   BLOCK32_PAIRED       twice as many rows as a register has 32-bit lanes: their scales; then for each four weights k
 * a register in which byte 4 r + i holds weight k + i of row r (low) and of row r + lanes (high), so that both nibbles
 * meet the same activation
 *
 *   BLOCK32_BYTES        of q8_0, 34 bytes a row: as BLOCK32_INTERLEAVED, but a byte is one weight + 128; values are not looked at
 *
 * Activations: 32 int8, the scale as half (byte 32) and as float (byte 36); from byte 64 what a sequence makes of them, or from byte
 * 40 on what block32_operand.h says.
 */
enum block32_order { BLOCK32_ROW, BLOCK32_ROW_PAIRS, BLOCK32_INTERLEAVED, BLOCK32_PAIRED, BLOCK32_BYTES };

static inline bool block32_is_row(enum block32_order order)
{
    return order == BLOCK32_ROW || order == BLOCK32_ROW_PAIRS;
}

enum { BLOCK32_HALF = 32, BLOCK32_FLOAT = 36, BLOCK32_OWN = 64 };

static inline uint32_t block32_rows(enum block32_order order, uint32_t lanes)
{
    return block32_is_row(order) ? 1 : order == BLOCK32_PAIRED ? 2 * lanes : lanes;
}

/** Bit at which weight k of a row begins. */
static inline uint32_t block32_position(enum block32_order order, uint32_t lanes, uint32_t row, uint32_t k)
{
    uint32_t scales = 2 * block32_rows(order, lanes);
    if (block32_is_row(order))
        return 8 * (scales + k % 16) + k / 16 * 4;
    if (order == BLOCK32_INTERLEAVED)
        return 8 * (scales + k % 16 / 4 * 4 * lanes + 4 * row + k % 4) + k / 16 * 4;
    return 8 * (scales + k / 4 * 4 * lanes + 4 * (row % lanes) + k % 4) + row / lanes * 4;
}

/** Weight k of a row over its scale. */
static inline int32_t block32_weight(enum block32_order order, uint32_t lanes, const int8_t values[16],
                                     const uint8_t *weights, uint32_t row, uint32_t k)
{
    uint32_t position = block32_position(order, lanes, row, k);
    return order == BLOCK32_BYTES ? (int32_t)blocks_code(weights, position, 8) - 128
                                  : values[blocks_code(weights, position, 4)];
}

/** Draw weights and activations, up to BLOCK32_OWN. @return sum of the activations */
static inline int32_t block32_fill(uint8_t *weights, uint8_t *activations, enum block32_order order, uint32_t lanes,
                                   uint64_t seed)
{
    uint64_t state = seed;
    uint32_t rows = block32_rows(order, lanes);
    int8_t *a = (int8_t *)activations;
    int32_t sum = 0;
    blocks_draw(weights + 2 * rows, (order == BLOCK32_BYTES ? 32 : 16) * rows, a, 32, seed);
    blocks_draw_scales(weights, rows, &state);
    blocks_draw_scales(activations + BLOCK32_HALF, 1, &state);
    blocks_put_float(activations + BLOCK32_FLOAT, blocks_half(activations + BLOCK32_HALF), 1);
    for (uint32_t k = 0; k < 32; k++)
        sum += a[k];
    return sum;
}

/** Where sums begin, see block32_operand.h, of codes that are so much more than weights; `split`: high nibbles have sums of their own. */
static inline void block32_fill_starts(uint8_t *activations, int32_t offset, bool split)
{
    const int8_t *a = (const int8_t *)activations;
    int32_t low = 0, high = 0;
    for (uint32_t k = 0; k < 32; k++) {
        *(k < 16 ? &low : &high) += a[k];
        activations[OPERAND_MAGNITUDES + k] = (uint8_t)(a[k] < 0 ? -a[k] : a[k]);
    }
    blocks_put_int32(activations + OPERAND_START, -offset * (split ? low : low + high), 1);
    blocks_put_int32(activations + OPERAND_START_HIGH, -16 * offset * high, 1);
}

/** sequence_reference: lane `lane` of dot product `dot` is row dot * lanes + lane; of a single row, weights
 * 4 lane … 4 lane + 3 of each 4 lanes. */
static inline void block32_refer(const struct sequence_data *data, enum block32_order order, uint32_t lanes,
                                 uint32_t dot, const int8_t values[16], void *sum, double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t row = block32_is_row(order) ? 0 : dot * lanes + lane;
        double scale = blocks_half(data->weights + 2 * row) * blocks_half(data->activations + BLOCK32_HALF);
        double magnitude = 0;
        int32_t products = 0;
        for (uint32_t k = 0; k < 32; k++) {
            if (block32_is_row(order) && k / (order == BLOCK32_ROW ? 4 : 2) % lanes != lane)
                continue;
            int32_t product = block32_weight(order, lanes, values, data->weights, row, k) * a[k];
            products += product;
            magnitude += fabs(scale * product);
        }
        blocks_add(sum, magnitudes, lane, scale * products, magnitude);
    }
}

/** Where sums of the lanes of a single row begin, 8 int32 after BLOCK32_OWN, of codes that are so much more than weights. */
static inline void block32_fill_row_starts(uint8_t *activations, int32_t offset)
{
    const int8_t *a = (const int8_t *)activations;
    for (uint32_t lane = 0; lane < 8; lane++) {
        int32_t sum = a[4 * lane] + a[4 * lane + 1] + a[4 * lane + 2] + a[4 * lane + 3];
        blocks_put_int32(activations + BLOCK32_OWN + 4 * lane, -offset * sum, 1);
    }
}

/** sequence_reference of a row of q8_0, as it is stored: lane l of 8 has columns 4 l to 4 l + 3. */
static inline void block32_refer_row_bytes(const struct sequence_data *data, void *sum, double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations, *w = (const int8_t *)data->weights + 2;
    double scale = blocks_half(data->weights) * blocks_float(data->activations + BLOCK32_FLOAT);
    for (uint32_t lane = 0; lane < 8; lane++) {
        int32_t products = 0;
        double magnitude = 0;
        for (uint32_t k = 4 * lane; k < 4 * lane + 4; k++) {
            products += w[k] * a[k];
            magnitude += fabs(scale * w[k] * a[k]);
        }
        blocks_add(sum, magnitudes, lane, scale * products, magnitude);
    }
}

/** Activations as a block of codes of 4 bits has them; codes of any value, or all at an end. */
static inline void block32_fill_row_bytes(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    block32_fill(weights, activations, BLOCK32_ROW, 8, seed);
    for (uint32_t k = 0; k < 32; k++)
        weights[2 + k] = seed % 4 < 2 ? (uint8_t)sequence_random(&state) : seed % 4 == 2 ? 0x80 : 0x7f;
}

/** q4_0: unsigned codes with an offset of 8. */
static const int8_t block32_offset8[16] = {-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7};
/** q4_0 with the upper bit of each code toggled: two's complement. */
static const int8_t block32_signed[16] = {0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1};
/** iq4_nl: the format's codebook. */
static const int8_t block32_nonlinear[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

#endif
