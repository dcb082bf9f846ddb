/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A format of bit planes of WEIGHT_BITS. The including file has included bit_serial_layout.h or bit_serial_planes_layout.h, which draw
 * them: a step is [bit] [row BITS_ROWS] [STEP_COLUMNS / 8] bytes. An even number, which no bits stand for, becomes the odd
 * one below it.
 */
#include "micro/kernel.h"
#include "micro/quantization/bipolar.h"

static uint8_t *byte_of(const uint8_t *panel, uint32_t row, uint32_t column, uint32_t bit)
{
    size_t step = column / STEP_COLUMNS, run = bit * BITS_ROWS + row;
    return (uint8_t *)(uintptr_t)(panel + step * STEP_BYTES + run * (STEP_COLUMNS / 8) + column % STEP_COLUMNS / 8);
}

static void put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    uint32_t u = bipolar_to_bits(w, WEIGHT_BITS), place = column % 8;
    for (uint32_t bit = 0; bit < WEIGHT_BITS; bit++) {
        uint8_t *byte = byte_of(panel, row, column, bit);
        *byte = (uint8_t)((*byte & ~(1u << place)) | (u >> bit & 1) << place);
    }
}

static int32_t get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    uint32_t u = 0;
    for (uint32_t bit = 0; bit < WEIGHT_BITS; bit++)
        u |= ((uint32_t)*byte_of(panel, row, column, bit) >> column % 8 & 1) << bit;
    return bipolar_from_bits(u, WEIGHT_BITS);
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = WEIGHT_BITS,
    .rows_per_panel = BITS_ROWS,
    .k_per_step = STEP_COLUMNS,
    .step_bytes = STEP_BYTES,
    .weight_min = 1 - (1 << WEIGHT_BITS),
    .weight_max = (1 << WEIGHT_BITS) - 1,
    /* activations have 8 bits at most */
    .max_k = INT32_MAX / (255 * ((1 << WEIGHT_BITS) - 1)),
    .put = put,
    .get = get,
};
