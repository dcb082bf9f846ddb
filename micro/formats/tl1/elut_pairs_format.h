/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A format of the layout of TL1, whose indices are those of ELUT(C, 2). The including .c defines CARDINALITY, of which 16 sums are
 * enough: 2, 3 or 4.
 */
#include "micro/families/lookup/elut_weights.h"
#include "micro/formats/tl1/layout.h"
#include "micro/kernel.h"

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k;
    struct elut pairs = elut_pairs(CARDINALITY);
    uint32_t byte = panel[column / TL1_STEP_COLUMNS * TL1_STEP_BYTES + row];
    return elut_decode(&pairs, byte >> column % TL1_STEP_COLUMNS / 2 * 4 & 15, column % 2);
}

static void pack(const float *w, size_t k, uint8_t *panel)
{
    struct elut pairs = elut_pairs(CARDINALITY);
    for (uint32_t row = 0; row < TL1_ROWS; row++, w += k) {
        for (size_t column = 0; column < k; column += TL1_STEP_COLUMNS)
            panel[column / TL1_STEP_COLUMNS * TL1_STEP_BYTES + row] =
                (uint8_t)(elut_pair_of(&pairs, w + column) | elut_pair_of(&pairs, w + column + 2) << 4);
    }
}

static void fill(uint8_t *step, size_t k, uint64_t *random)
{
    struct elut pairs = elut_pairs(CARDINALITY);
    for (size_t i = 0; i < k / TL1_STEP_COLUMNS * TL1_STEP_BYTES; i++) {
        uint32_t first = elut_random_pair(&pairs, random);
        step[i] = (uint8_t)(elut_random_pair(&pairs, random) << 4 | first);
    }
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 2,
    .rows_per_panel = TL1_ROWS,
    .k_per_step = TL1_STEP_COLUMNS,
    .step_bytes = TL1_STEP_BYTES,
    .weight_min = -(CARDINALITY / 2),
    .weight_max = CARDINALITY - 1 - CARDINALITY / 2,
    .max_k = 1 << 17, /* 32 bits would hold more */
    .pack = pack,
    .weight = weight,
    .fill = fill,
};
