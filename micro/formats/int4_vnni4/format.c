/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit weights in the VNNI4-interleaved layout of [envelope, III-B], 32 rows a panel: a step is one cache line, one 512-bit or two
 * 256-bit registers.
 *
 *     step, 64 bytes = [m16][k4] bytes of two nibbles
 *
 *     byte      0   1   2   3   4   ...  63        bits of a byte   7 6 5 4   3 2 1 0
 *     m16       0   0   0   0   1   ...  15        row               m16+16     m16
 *     column    0   1   2   3   0   ...   3
 *
 * Both nibbles of a byte meet the same activation. A nibble is u = w + 8, w in [-8, 7].
 */
#include "micro/kernel.h"

static size_t byte_of(uint32_t row, uint32_t column)
{
    return (size_t)(column / 4) * 64 + row % 16 * 4 + column % 4;
}

static void put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    uint32_t shift = row / 16 * 4;
    uint8_t *byte = &panel[byte_of(row, column)];
    *byte = (uint8_t)((*byte & ~(15u << shift)) | (uint32_t)(w + 8) << shift);
}

static int32_t get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    return (panel[byte_of(row, column)] >> row / 16 * 4 & 15) - 8;
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 4,
    .rows_per_panel = ROWS,
    .k_per_step = STEP_COLUMNS,
    .step_bytes = STEP_BYTES,
    .weight_min = -8,
    .weight_max = 7,
    .activation_offset = 8,
    /* the high nibble carries its sums times 16 */
    .max_k = INT32_MAX / (15 * 16 * 127),
    .put = put,
    .get = get,
};
