/* SPDX-License-Identifier: BSD-3-Clause
 *
 * layout.h draws it.
 */
#include <math.h>
#include <string.h>

#include "micro/formats/tmac2_g128/layout.h"
#include "micro/isa/random.h"
#include "micro/kernel.h"

static size_t panel_bytes(size_t k)
{
    return tmac2_g128_scale_at(k, 0, k);
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    int32_t w = (int32_t)tmac2_tile_code(panel + tmac2_g128_tile(column), row, column) - TMAC2_TILE_OFFSET;
    return w * tmac2_g128_scale(panel, k, row, column);
}

static uint32_t code_of(float w, float scale)
{
    long code = scale == 0 ? TMAC2_TILE_OFFSET : lrintf(w / scale) + TMAC2_TILE_OFFSET;
    return code < 0 ? 0 : code > 3 ? 3 : (uint32_t)code;
}

/** The weight of largest magnitude of 128 becomes -2, which has no equal of the other sign. */
static float scale_of(const float *w)
{
    float largest = w[0];
    for (uint32_t column = 1; column < TMAC2_G128_COLUMNS; column++)
        largest = fabsf(w[column]) > fabsf(largest) ? w[column] : largest;
    return largest / -TMAC2_TILE_OFFSET;
}

static void pack(const float *w, size_t k, uint8_t *panel)
{
    for (uint32_t row = 0; row < TMAC2_TILE_ROWS; row++) {
        for (uint32_t first = 0; first < k; first += TMAC2_G128_COLUMNS) {
            const float *of = w + row * k + first;
            float scale = scale_of(of);
            memcpy(panel + tmac2_g128_scale_at(k, row, first), &scale, sizeof scale);
            for (uint32_t column = 0; column < TMAC2_G128_COLUMNS; column++)
                tmac2_tile_put(panel + tmac2_g128_tile(first + column), row, column, code_of(of[column], scale));
        }
    }
}

/** Any codes; scales of 1/32 to 1/16 of either sign. */
static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    random_bytes(panel, tmac2_g128_tile(k), random);
    for (size_t first = 0; first < k; first += TMAC2_G128_COLUMNS) {
        for (uint32_t row = 0; row < TMAC2_TILE_ROWS; row++) {
            float drawn = random_float(random), scale = copysignf(0x1p-5f + fabsf(drawn) * 0x1p-5f, drawn);
            memcpy(panel + tmac2_g128_scale_at(k, row, first), &scale, sizeof scale);
        }
    }
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 2.25,
    .rows_per_panel = TMAC2_TILE_ROWS,
    .k_per_step = TMAC2_G128_COLUMNS,
    .k_multiple = TMAC2_G128_COLUMNS,
    .max_k = 1 << 20,
    .panel_bytes = panel_bytes,
    .pack = pack,
    .weight = weight,
    .fill = fill,
};
