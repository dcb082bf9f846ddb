/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Drawn in layout.h, with what the renderings of the papers share of it.
 */
#include "micro/kernels/tl1/layout.h"

#include "micro/elut.h"
#include "micro/kernel.h"
#include "micro/kernels/random.h"

static struct elut pairs_of_three(void)
{
    struct elut elut = {0};
    elut_make(3, 2, &elut);
    return elut;
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k;
    struct elut pairs = pairs_of_three();
    uint32_t byte = panel[column / TL1_STEP_COLUMNS * TL1_STEP_BYTES + row];
    return elut_decode(&pairs, byte >> column % TL1_STEP_COLUMNS / 2 * 4 & 15, column % 2);
}

/** The nearest of -1, 0, 1. */
static int32_t ternary(float w)
{
    return (w >= 0.5f) - (w <= -0.5f);
}

static void pack(const float *w, size_t k, uint8_t *panel)
{
    struct elut pairs = pairs_of_three();
    for (uint32_t row = 0; row < TL1_ROWS; row++, w += k) {
        for (size_t column = 0; column < k; column += TL1_STEP_COLUMNS) {
            const int32_t weights[] = {ternary(w[column]), ternary(w[column + 1]), ternary(w[column + 2]),
                                       ternary(w[column + 3])};
            panel[column / TL1_STEP_COLUMNS * TL1_STEP_BYTES + row] =
                (uint8_t)(elut_encode(&pairs, weights) | elut_encode(&pairs, weights + 2) << 4);
        }
    }
}

/** All groups equally often. */
static void fill(uint8_t *step, size_t k, uint64_t *random)
{
    for (size_t i = 0; i < k / TL1_STEP_COLUMNS * TL1_STEP_BYTES; i++) {
        uint32_t groups = (uint32_t)((random_bits(random) >> 32) * 81 >> 32);
        step[i] = (uint8_t)(groups / 9 << 4 | groups % 9);
    }
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 2,
    .rows_per_panel = TL1_ROWS,
    .k_per_step = TL1_STEP_COLUMNS,
    .step_bytes = TL1_STEP_BYTES,
    .weight_min = -1,
    .weight_max = 1,
    .max_k = 1 << 17, /* 32 bits would hold more */
    .pack = pack,
    .weight = weight,
    .fill = fill,
};
