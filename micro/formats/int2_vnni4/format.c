/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights in the VNNI4-interleaved layout [M8][k4][m4] of [envelope, III-B, Fig. 1], 32 rows a panel.
 *
 *     step, 64 bytes = two of [m8][k4] bytes of four 2-bit fields, for columns 0-3 and 4-7
 *
 *     byte      0   1   2   3   4   ...  31        bits of a byte   7 6   5 4   3 2   1 0
 *     m8        0   0   0   0   1   ...   7        row             m8+24 m8+16  m8+8   m8
 *     column    0   1   2   3   0   ...   3
 *
 * All four fields of a byte meet the same activation. A field is u = w + 2, w in [-2, 1].
 */
#include "micro/kernel.h"

static size_t byte_of(uint32_t row, uint32_t column)
{
    return (size_t)(column / 4) * 32 + row % 8 * 4 + column % 4;
}

static void put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    uint32_t shift = row / 8 * 2;
    uint8_t *byte = &panel[byte_of(row, column)];
    *byte = (uint8_t)((*byte & ~(3u << shift)) | (uint32_t)(w + 2) << shift);
}

static int32_t get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    return (panel[byte_of(row, column)] >> row / 8 * 2 & 3) - 2;
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 2,
    .rows_per_panel = ROWS,
    .k_per_step = STEP_COLUMNS,
    .step_bytes = STEP_BYTES,
    .weight_min = -2,
    .weight_max = 1,
    .activation_offset = 2,
    /* the plane of the top field carries its sums times 64 */
    .max_k = INT32_MAX / (3 * 64 * 127),
    .put = put,
    .get = get,
};
