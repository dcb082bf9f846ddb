/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What amx_requantized_blocks.h requires of panels that are 16 rows as q4_0_m16 has them, whatever the values of their codes.
 */
#ifndef MICRO_FAMILIES_AMX_AMX_REQUANTIZED_M16_H
#define MICRO_FAMILIES_AMX_AMX_REQUANTIZED_M16_H

#define PANEL_ROWS 16
#include "micro/families/amx/amx_requantized_blocks.h"

static const uint8_t *blocks_at(const struct gemm_slice *slice, size_t group, size_t block, uint8_t *to)
{
    const uint8_t *from = slice->weights + group * slice->panel_bytes + block * BLOCK_BYTES;
    (void)to;
    for (size_t line = 0; slice->prefetch_bytes && line < BLOCK_BYTES; line += 64)
        _mm_prefetch((const char *)((uintptr_t)from + slice->prefetch_bytes + line), _MM_HINT_T0);
    return from;
}

static float scale_of(const uint8_t *panel, uint32_t row, size_t column)
{
    uint16_t scale;
    memcpy(&scale, panel + column / BLOCK_COLUMNS * BLOCK_BYTES + 2 * row, sizeof scale);
    return half_to_float(scale);
}

/** The code of a column, 0 … 15. */
static uint32_t code_of(const uint8_t *panel, uint32_t row, size_t column)
{
    size_t in_block = column % BLOCK_COLUMNS, line = in_block % 16 / 4;
    const uint8_t *block = panel + column / BLOCK_COLUMNS * BLOCK_BYTES;
    return (uint32_t)block[BLOCK_CODES + line * 64 + 4 * row + in_block % 4] >> in_block / 16 * 4 & 15u;
}

extern const struct format SELF_FORMAT;

#endif
