/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights as eight planes a byte, 128 rows a panel: every bit of a byte is another row at the same column.
 *
 *     step, 64 bytes = [m16][k4] bytes of eight bits
 *
 *     byte      0   1   2   3   4   ...  63        bits of a byte     7        6     ...   1       0
 *     m16       0   0   0   0   1   ...  15        row             m16+112  m16+96   ... m16+16   m16
 *     column    0   1   2   3   0   ...   3
 *
 * A bit is u = (w + 1) / 2: 1 is the weight +1, 0 is -1, so y = 2 sum u a - sum a.
 */
#include "micro/kernel.h"

static size_t byte_of(uint32_t row, uint32_t column)
{
    return (size_t)(column / 4) * 64 + row % 16 * 4 + column % 4;
}

static void put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    uint32_t bit = row / 16;
    uint8_t *byte = &panel[byte_of(row, column)];
    *byte = (uint8_t)((*byte & ~(1u << bit)) | (w > 0 ? 1u << bit : 0));
}

static int32_t get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    return panel[byte_of(row, column)] >> row / 16 & 1 ? 1 : -1;
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
    /* the top plane carries its sums times 128 */
    .max_k = INT32_MAX / (128 * 127),
    .put = put,
    .get = get,
};
