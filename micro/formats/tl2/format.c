/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Drawn in layout.h, with what the renderings of the papers share of it.
 */
#include "micro/formats/tl2/layout.h"

#include <string.h>

#include "micro/isa/random.h"
#include "micro/kernel.h"
#include "micro/quantization/elut.h"

/* elut_make(3, 3) and (3, 2), which every weight that is read asks for. */
static const struct elut triples = {.cardinality = 3, .group = 3, .mirrored = true, .entries = 14, .index_bits = 4},
                         pairs = {.cardinality = 3, .group = 2, .entries = 9, .index_bits = 4};

static size_t panel_bytes(size_t k)
{
    return tl2_tiles(k) * TL2_TILE_BYTES + tl2_quads(k) * TL2_QUAD_BYTES;
}

static uint32_t triple_code(const uint8_t *tile, uint32_t row, uint32_t triple)
{
    uint32_t index = (uint32_t)tile[triple / 2 * TL2_ROWS + row] >> triple % 2 * 4 & 15u;
    return index | (tile[TL2_SIGNS + row] >> (7 - triple) & 1u) << 4;
}

static void put_triple(uint8_t *tile, uint32_t row, uint32_t triple, uint32_t code)
{
    tile[triple / 2 * TL2_ROWS + row] |= (uint8_t)((code & 15) << triple % 2 * 4);
    tile[TL2_SIGNS + row] |= (uint8_t)((code >> 4) << (7 - triple));
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    size_t tiles = tl2_tiles(k);
    uint32_t in_tile = column % TL2_TILE_COLUMNS;
    if (column / TL2_TILE_COLUMNS < tiles) {
        const uint8_t *tile = panel + column / TL2_TILE_COLUMNS * TL2_TILE_BYTES;
        return elut_decode(&triples, triple_code(tile, row, in_tile / 3), in_tile % 3);
    }
    uint32_t byte = panel[tiles * TL2_TILE_BYTES + in_tile / TL2_QUAD_COLUMNS * TL2_QUAD_BYTES + row];
    return elut_decode(&pairs, byte >> in_tile % TL2_QUAD_COLUMNS / 2 * 4 & 15, in_tile % 2);
}

/** The nearest of -1, 0, 1. */
static int32_t ternary(float w)
{
    return (w >= 0.5f) - (w <= -0.5f);
}

static uint32_t code_of(const struct elut *elut, const float *w)
{
    int32_t weights[ELUT_GROUP_MOST] = {0};
    for (uint32_t i = 0; i < elut->group; i++)
        weights[i] = ternary(w[i]);
    return elut_encode(elut, weights);
}

static void pack(const float *w, size_t k, uint8_t *panel)
{
    size_t tiles = tl2_tiles(k), quads = tl2_quads(k);
    memset(panel, 0, panel_bytes(k));
    for (uint32_t row = 0; row < TL2_ROWS; row++, w += k) {
        for (size_t i = 0; i < tiles * TL2_TRIPLES; i++)
            put_triple(panel + i / TL2_TRIPLES * TL2_TILE_BYTES, row, i % TL2_TRIPLES, code_of(&triples, w + 3 * i));
        const float *rest = w + tiles * TL2_TILE_COLUMNS;
        for (size_t i = 0; i < quads; i++)
            panel[tiles * TL2_TILE_BYTES + i * TL2_QUAD_BYTES + row] =
                (uint8_t)(code_of(&pairs, rest + 4 * i) | code_of(&pairs, rest + 4 * i + 2) << 4);
    }
}

/** All groups equally often. */
static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    size_t tiles = tl2_tiles(k), quads = tl2_quads(k) * TL2_QUAD_BYTES;
    memset(panel, 0, tiles * TL2_TILE_BYTES);
    for (size_t i = 0; i < tiles * TL2_TRIPLES * TL2_ROWS; i++) {
        uint32_t number = (uint32_t)((random_bits(random) >> 32) * 27 >> 32);
        int32_t weights[] = {(int32_t)(number / 9) - 1, (int32_t)(number / 3 % 3) - 1, (int32_t)(number % 3) - 1};
        size_t tile = i / (TL2_TRIPLES * TL2_ROWS);
        put_triple(panel + tile * TL2_TILE_BYTES, i / TL2_TRIPLES % TL2_ROWS, i % TL2_TRIPLES,
                   elut_encode(&triples, weights));
    }
    for (size_t i = 0; i < quads; i++) {
        uint32_t pair = (uint32_t)((random_bits(random) >> 32) * 81 >> 32);
        panel[tiles * TL2_TILE_BYTES + i] = (uint8_t)(pair / 9 << 4 | pair % 9);
    }
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 5.0 / 3,
    .rows_per_panel = TL2_ROWS,
    .k_per_step = TL2_QUAD_COLUMNS,
    .weight_min = -1,
    .weight_max = 1,
    .max_k = 1 << 17, /* 32 bits would hold more */
    .panel_bytes = panel_bytes,
    .pack = pack,
    .weight = weight,
    .fill = fill,
};
