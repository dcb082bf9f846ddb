/* SPDX-License-Identifier: BSD-3-Clause
 *
 * layout.h draws it.
 */
#include "micro/formats/tmac2_tiles/layout.h"

#include "micro/kernel.h"

static size_t tile_of(uint32_t column)
{
    return (size_t)(column / TMAC2_TILE_COLUMNS) * TMAC2_TILE_BYTES;
}

static void put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    tmac2_tile_put(panel + tile_of(column), row, column, (uint32_t)(w + TMAC2_TILE_OFFSET));
}

static int32_t get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    return (int32_t)tmac2_tile_code(panel + tile_of(column), row, column) - TMAC2_TILE_OFFSET;
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 2,
    .rows_per_panel = TMAC2_TILE_ROWS,
    .k_per_step = TMAC2_TILE_COLUMNS,
    .step_bytes = TMAC2_TILE_BYTES,
    .weight_min = -2,
    .weight_max = 1,
    .activation_offset = TMAC2_TILE_OFFSET,
    .max_k = 1 << 17, /* 32 bits would hold more */
    .put = put,
    .get = get,
};
