/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL1 in bitnet.cpp's own order, of tiles of TL1_BM rows and blocks of TL1_BK columns, TL1_ROWS_AT_ONCE rows at once:
 * micro/families/lookup/tl1_tiles.h draws it.
 */
#include <string.h>

#include "micro/families/lookup/elut_weights.h"
#include "micro/families/lookup/tl1_tiles.h"
#include "micro/kernel.h"

enum { CARDINALITY = 3, STEP_BYTES = TL1_BM * TL1_BK / 4 };

static size_t index_at(uint32_t row, size_t column, unsigned *shift)
{
    return column / TL1_BK * STEP_BYTES + tl1_tiles_index_at(TL1_BK, TL1_ROWS_AT_ONCE, row, column % TL1_BK, shift);
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k;
    struct elut pairs = elut_pairs(CARDINALITY);
    unsigned shift;
    size_t at = index_at(row, column, &shift);
    return elut_decode(&pairs, panel[at] >> shift & 15u, column % 2);
}

static void pack(const float *w, size_t k, uint8_t *panel)
{
    struct elut pairs = elut_pairs(CARDINALITY);
    memset(panel, 0, k / TL1_BK * STEP_BYTES);
    for (uint32_t row = 0; row < TL1_BM; row++, w += k) {
        for (size_t column = 0; column < k; column += 2) {
            unsigned shift;
            size_t at = index_at(row, column, &shift);
            panel[at] |= (uint8_t)(elut_pair_of(&pairs, w + column) << shift);
        }
    }
}

static void fill(uint8_t *step, size_t k, uint64_t *random)
{
    struct elut pairs = elut_pairs(CARDINALITY);
    for (size_t i = 0; i < k / TL1_BK * STEP_BYTES; i++) {
        uint32_t first = elut_random_pair(&pairs, random);
        step[i] = (uint8_t)(elut_random_pair(&pairs, random) << 4 | first);
    }
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 2,
    .rows_per_panel = TL1_BM,
    .k_per_step = TL1_BK,
    .step_bytes = STEP_BYTES,
    .k_multiple = TL1_BK,
    .weight_min = -1,
    .weight_max = 1,
    .max_k = 1 << 17,
    .pack = pack,
    .weight = weight,
    .fill = fill,
};
