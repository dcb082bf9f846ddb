/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights in the conventional VNNI4 layout of [envelope, III-D, Fig. 2], 32 rows a panel.
 *
 *     step, 64 bytes = [k4 x 4] [m8 x 4] 32-bit words of [m8][k4] bits
 *
 *     bit of a word    0   1   2   3   4  ...  31
 *     row in m8        0   0   0   0   1  ...   7
 *     column           0   1   2   3   0  ...   3
 *
 * A bit of 0 is the weight +1, a bit of 1 is -1; the kernels expand it to u = w + 1, 2 or 0.
 */
#include "micro/kernel.h"

static uint8_t *byte_of(uint8_t *panel, uint32_t row, uint32_t column, uint32_t *bit)
{
    uint32_t word = column / 4 * 4 + row / 8, position = row % 8 * 4 + column % 4;
    *bit = position % 8;
    return panel + (size_t)word * 4 + position / 8;
}

static void put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    uint32_t bit;
    uint8_t *byte = byte_of(panel, row, column, &bit);
    *byte = (uint8_t)((*byte & ~(1u << bit)) | (w < 0 ? 1u << bit : 0));
}

static int32_t get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    uint32_t bit;
    const uint8_t *byte = byte_of((uint8_t *)panel, row, column, &bit);
    return *byte >> bit & 1 ? -1 : 1;
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 1,
    .rows_per_panel = ROWS,
    .k_per_step = STEP_COLUMNS,
    .step_bytes = STEP_BYTES,
    .weight_min = -1,
    .weight_max = 1,
    .activation_offset = 1,
    .max_k = INT32_MAX / (2 * 127),
    .put = put,
    .get = get,
};
