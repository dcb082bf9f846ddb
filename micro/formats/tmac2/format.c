/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Drawn in layout.h, with what the renderings of the papers share of it.
 */
#include "micro/formats/tmac2/layout.h"

#include "micro/kernel.h"

static size_t byte_of(uint32_t row, uint32_t column)
{
    return (size_t)(column / TMAC2_STEP_COLUMNS) * TMAC2_STEP_BYTES + row;
}

static void put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    uint32_t u = (uint32_t)(w + TMAC2_OFFSET), place = column % TMAC2_STEP_COLUMNS;
    uint8_t *byte = &panel[byte_of(row, column)];
    *byte = (uint8_t)((*byte & ~(0x11u << place)) | (u & 1) << place | u >> 1 << (4 + place));
}

static int32_t get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    uint32_t bits = (uint32_t)panel[byte_of(row, column)] >> column % TMAC2_STEP_COLUMNS;
    return (int32_t)((bits & 1) + (bits >> 4 & 1) * 2) - TMAC2_OFFSET;
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 2,
    .rows_per_panel = TMAC2_ROWS,
    .k_per_step = TMAC2_STEP_COLUMNS,
    .step_bytes = TMAC2_STEP_BYTES,
    .weight_min = -2,
    .weight_max = 1,
    .activation_offset = TMAC2_OFFSET,
    .max_k = 1 << 17, /* 32 bits would hold more */
    .put = put,
    .get = get,
};
