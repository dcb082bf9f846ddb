/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Drawn in layout.h.
 */
#include "micro/formats/elut5/layout.h"

#include <string.h>

#include "micro/families/lookup/elut_weights.h"
#include "micro/kernel.h"

enum { CARDINALITY = 5 };

static void put_pair(uint8_t *step, uint32_t row, uint32_t pair, uint32_t code)
{
    step[pair / 2 * ELUT5_ROWS + row] |= (uint8_t)((code & 15) << pair % 2 * 4);
    step[TL2_SIGNS + row] |= (uint8_t)((code >> 4) << (7 - pair));
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k;
    struct elut pairs = elut_pairs(CARDINALITY);
    const uint8_t *step = panel + column / ELUT5_STEP_COLUMNS * ELUT5_STEP_BYTES;
    uint32_t pair = column % ELUT5_STEP_COLUMNS / 2;
    uint32_t index = (uint32_t)step[pair / 2 * ELUT5_ROWS + row] >> pair % 2 * 4 & 15u;
    return elut_decode(&pairs, index | (step[TL2_SIGNS + row] >> (7 - pair) & 1u) << 4, column % 2);
}

static void pack(const float *w, size_t k, uint8_t *panel)
{
    struct elut pairs = elut_pairs(CARDINALITY);
    memset(panel, 0, k / ELUT5_STEP_COLUMNS * ELUT5_STEP_BYTES);
    for (uint32_t row = 0; row < ELUT5_ROWS; row++, w += k) {
        for (size_t i = 0; i < k / 2; i++)
            put_pair(panel + i / ELUT5_STEP_PAIRS * ELUT5_STEP_BYTES, row, i % ELUT5_STEP_PAIRS,
                     elut_pair_of(&pairs, w + 2 * i));
    }
}

static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    struct elut pairs = elut_pairs(CARDINALITY);
    memset(panel, 0, k / ELUT5_STEP_COLUMNS * ELUT5_STEP_BYTES);
    for (size_t i = 0; i < k / 2 * ELUT5_ROWS; i++)
        put_pair(panel + i / (ELUT5_STEP_PAIRS * ELUT5_ROWS) * ELUT5_STEP_BYTES, i / ELUT5_STEP_PAIRS % ELUT5_ROWS,
                 i % ELUT5_STEP_PAIRS, elut_random_pair(&pairs, random));
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 2.5,
    .rows_per_panel = ELUT5_ROWS,
    .k_per_step = ELUT5_STEP_COLUMNS,
    .step_bytes = ELUT5_STEP_BYTES,
    .weight_min = -(CARDINALITY / 2),
    .weight_max = CARDINALITY / 2,
    .max_k = 1 << 17, /* 32 bits would hold more */
    .pack = pack,
    .weight = weight,
    .fill = fill,
};
