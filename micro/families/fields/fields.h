/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FAMILIES_FIELDS_FIELDS_H
#define MICRO_FAMILIES_FIELDS_FIELDS_H

#include "micro/families/blocks/blocks.h"
#include "micro/families/fields/fields_operand.h"

/**
 * C halves of q1_0 (FIELD_BITS 1: a weight is scale * (2 code - 1)), q2_0 and pq2_0 (2: scale * (code - 1)). Code i of a byte is column
 * i of those that the byte has.
 */

enum { FIELDS = 8 / FIELD_BITS };

/** Weight of code `code` of a byte, over the scale. */
static inline int32_t fields_weight(uint8_t byte, uint32_t code)
{
    int32_t value = (byte >> code * FIELD_BITS) & ((1 << FIELD_BITS) - 1);
    return FIELD_BITS == 1 ? 2 * value - 1 : value - 1;
}

/** Codes first … first + count - 1 of a byte times what each meets, `stride` bytes apart in the order of fields_index(). */
static inline int32_t fields_products(uint8_t byte, uint32_t first, uint32_t count, const int8_t *a, size_t stride,
                                      double scale, double *magnitude)
{
    int32_t products = 0;
    for (uint32_t code = first; code < first + count; code++) {
        int32_t product = fields_weight(byte, code) * a[(fields_index(code) - fields_index(first)) * stride];
        products += product;
        *magnitude += fabs(scale * product);
    }
    return products;
}

/** sequence_reference of `lanes` rows that are lanes: their scales, then four lines with four bytes of each. */
static inline void fields_refer_lanes(const struct sequence_data *data, uint32_t lanes, void *sum, double *magnitudes)
{
    double of_activations = blocks_float(data->activations + FIELDS_SCALE) * FIELD_OFFSET;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        double scale = blocks_half(data->weights + 2 * lane) * of_activations, magnitude = 0;
        int32_t products = 0;
        for (uint32_t i = 0; i < 16; i++) {
            uint8_t byte = data->weights[2 * lanes + i / 4 * 4 * lanes + 4 * lane + i % 4];
            const int8_t *a = (const int8_t *)data->activations + i / 4 * 4 * FIELDS + i % 4;
            products += fields_products(byte, 0, FIELDS, a, 4, scale, &magnitude);
        }
        blocks_add(sum, magnitudes, lane, scale * products, magnitude);
    }
}

static inline void fields_fill_lanes(uint8_t *weights, uint8_t *activations, uint32_t lanes, uint64_t seed)
{
    uint64_t state = seed;
    int32_t sum = 0;
    blocks_draw(weights + 2 * lanes, 16 * lanes, (int8_t *)activations, FIELDS_COLUMNS, seed);
    blocks_draw_scales(weights, lanes, &state);
    for (uint32_t i = 0; i < FIELDS_COLUMNS; i++)
        sum += (int8_t)activations[i];
    blocks_put_float(activations + FIELDS_SCALE, 0.001 * (double)(1 + sequence_random(&state) % 100), 1);
    blocks_put_int32(activations + FIELDS_START, -FIELD_START * sum, 1);
}

#endif
