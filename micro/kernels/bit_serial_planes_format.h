/* SPDX-License-Identifier: BSD-3-Clause
 *
 * w<p>_planes: bipolar weights of p = WEIGHT_BITS bits (micro/bipolar.h) as planes of a row, after the paper [apt-llm, IV-A, Fig. 6],
 * whose layout is [bit][row][K / 32] uint32_t, p planes of the whole matrix one after the other. A matrix here is a row of panels, each
 * with all bits of its rows, so a panel is one row, and its planes are cut where a register of 512 bits ends,
 *
 *     step, 64 p bytes = 512 columns = [bit p] [16] uint32_t          bit c of a word: column c of its 32
 *
 * Of 1 bit that is the paper's layout, K padded to 512 columns. An even number, which no bits stand for, becomes the odd one below it.
 */
#include "micro/bipolar.h"
#include "micro/kernel.h"
#include "micro/kernels/bit_serial_planes_layout.h"

static uint8_t *byte_of(const uint8_t *panel, uint32_t column, uint32_t bit)
{
    size_t step = column / STEP_COLUMNS, word = column % STEP_COLUMNS / 8;
    return (uint8_t *)(uintptr_t)(panel + step * STEP_BYTES + (size_t)bit * PLANE_BYTES + word);
}

static void put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    uint32_t u = (uint32_t)(w + (1 << WEIGHT_BITS) - 1) >> 1, place = column % 8;
    (void)row;
    for (uint32_t bit = 0; bit < WEIGHT_BITS; bit++) {
        uint8_t *byte = byte_of(panel, column, bit);
        *byte = (uint8_t)((*byte & ~(1u << place)) | (u >> bit & 1) << place);
    }
}

static int32_t get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    uint32_t u = 0;
    (void)row;
    for (uint32_t bit = 0; bit < WEIGHT_BITS; bit++)
        u |= ((uint32_t)*byte_of(panel, column, bit) >> column % 8 & 1) << bit;
    return bipolar_from_bits(u, WEIGHT_BITS);
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = WEIGHT_BITS,
    .rows_per_panel = 1,
    .k_per_step = STEP_COLUMNS,
    .step_bytes = STEP_BYTES,
    .weight_min = 1 - (1 << WEIGHT_BITS),
    .weight_max = (1 << WEIGHT_BITS) - 1,
    .max_k = INT32_MAX / (255 * ((1 << WEIGHT_BITS) - 1)),
    .put = put,
    .get = get,
};
