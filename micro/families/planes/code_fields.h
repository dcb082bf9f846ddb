/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A format whose bytes hold codes of FIELD_BITS of a column in ROWS / (8 / FIELD_BITS) rows each: rows r, r + 8, … of as many fields, from the lowest
 * bits on, four columns to a word. A code is the weight and 2^(FIELD_BITS - 1) more; one bit is 1 for 1 and 0 for -1. The including format.c draws it.
 */
#include "micro/kernel.h"

enum {
    FIELD_ROWS = ROWS * FIELD_BITS / 8, /* with a byte of their own */
    FIELD_OFFSET = 1 << (FIELD_BITS - 1),
    FIELD_MOST = (1 << FIELD_BITS) - 1
};

static size_t byte_of(uint32_t row, uint32_t column)
{
    return (size_t)(column / 4) * 4 * FIELD_ROWS + row % FIELD_ROWS * 4 + column % 4;
}

static void put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    const uint32_t shift = row / FIELD_ROWS * FIELD_BITS;
    const uint32_t code = FIELD_BITS == 1 ? w > 0 : (uint32_t)(w + FIELD_OFFSET);
    uint8_t *byte = &panel[byte_of(row, column)];
    *byte = (uint8_t)((*byte & ~((uint32_t)FIELD_MOST << shift)) | code << shift);
}

static int32_t get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    const int32_t code = panel[byte_of(row, column)] >> row / FIELD_ROWS * FIELD_BITS & FIELD_MOST;
    return FIELD_BITS == 1 ? 2 * code - 1 : code - FIELD_OFFSET;
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = FIELD_BITS,
    .rows_per_panel = ROWS,
    .k_per_step = STEP_COLUMNS,
    .step_bytes = STEP_BYTES,
    .weight_min = -FIELD_OFFSET,
    .weight_max = FIELD_BITS == 1 ? 1 : FIELD_OFFSET - 1,
    .activation_offset = FIELD_OFFSET,
    /* the top field carries its sums times 2^(8 - FIELD_BITS) */
    .max_k = INT32_MAX / ((FIELD_MOST << (8 - FIELD_BITS)) * 127),
    .put = put,
    .get = get,
};
