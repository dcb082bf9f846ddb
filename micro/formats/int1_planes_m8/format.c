/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights as eight planes a byte, 64 rows a panel: every bit of a byte is another row at the same column.
 *
 * The same as int1_planes for 256-bit registers.
 *
 *     step, 64 bytes = two of [m8][k4] bytes of eight bits, for columns 0-3 and 4-7
 *
 *     byte      0   1   2   3   4   ...  31        bits of a byte     7       6     ...   1      0
 *     m8        0   0   0   0   1   ...   7        row              m8+56   m8+48   ...  m8+8    m8
 *     column    0   1   2   3   0   ...   3
 *
 * A bit is u = (w + 1) / 2: 1 is the weight +1, 0 is -1, so y = 2 sum u a - sum a.
 */
#include "micro/kernel.h"

static size_t byte_of(uint32_t row, uint32_t column)
{
    return (size_t)(column / 4) * 32 + row % 8 * 4 + column % 4;
}

static void put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    uint32_t bit = row / 8;
    uint8_t *byte = &panel[byte_of(row, column)];
    *byte = (uint8_t)((*byte & ~(1u << bit)) | (w > 0 ? 1u << bit : 0));
}

static int32_t get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    return panel[byte_of(row, column)] >> row / 8 & 1 ? 1 : -1;
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
