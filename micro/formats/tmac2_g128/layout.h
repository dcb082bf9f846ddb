/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tiles that tmac2_tiles/layout.h draws, with a scale of 32 bits for 128 columns of a row, as T-MAC has it for weights of GPTQ. Panels
 * of 128 rows, K a multiple of 128:
 *
 *     panel = | [K / 64] tiles of 2,048 bytes | [K / 128] [128 rows] f32 scale |
 *
 * A weight is (u - 2) * scale. T-MAC has the scales of all panels in a matrix of their own; here those of a panel lie after its tiles, and both
 * are read as there, each from front to back. A scale between the tiles that it is for made T-MAC's own look-ups take 2.7 times as long from
 * memory on Zen 5.
 */
#ifndef MICRO_FORMATS_TMAC2_G128_LAYOUT_H
#define MICRO_FORMATS_TMAC2_G128_LAYOUT_H

#include <string.h>

#include "micro/formats/tmac2_tiles/layout.h"

enum { TMAC2_G128_COLUMNS = 128 };

static inline size_t tmac2_g128_tile(size_t column)
{
    return column / TMAC2_TILE_COLUMNS * TMAC2_TILE_BYTES;
}

/** Of a panel of k columns, where the scale of a row and column is. */
static inline size_t tmac2_g128_scale_at(size_t k, uint32_t row, size_t column)
{
    return tmac2_g128_tile(k) + (column / TMAC2_G128_COLUMNS * TMAC2_TILE_ROWS + row) * sizeof(float);
}

static inline double tmac2_g128_scale(const uint8_t *panel, size_t k, uint32_t row, size_t column)
{
    float scale;
    memcpy(&scale, panel + tmac2_g128_scale_at(k, row, column), sizeof scale);
    return (double)scale;
}

#endif
