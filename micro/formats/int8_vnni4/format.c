/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8 weights in the conventional VNNI4 layout, 32 rows a panel: the baseline of [envelope, IV-B], which up-converts
 * nothing.
 *
 *     step, 128 bytes = [m32][k4]
 *
 *     byte      0    1    2    3    4   ...  127
 *     row       0    0    0    0    1   ...   31
 *     column    0    1    2    3    0   ...    3
 *
 * A byte is u = w + 128.
 */
#include "micro/kernel.h"

static size_t byte_of(uint32_t row, uint32_t column)
{
    return (size_t)(column / 4) * 128 + row * 4 + column % 4;
}

static void put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    panel[byte_of(row, column)] = (uint8_t)(w + 128);
}

static int32_t get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    return panel[byte_of(row, column)] - 128;
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 8,
    .rows_per_panel = ROWS,
    .k_per_step = STEP_COLUMNS,
    .step_bytes = STEP_BYTES,
    .weight_min = -128,
    .weight_max = 127,
    .activation_offset = 128,
    .max_k = INT32_MAX / (128 * 127),
    .put = put,
    .get = get,
};
