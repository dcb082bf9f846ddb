/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bfloat16, the upper half of binary32, row by row as models store them.
 *
 *     panel = one row     step, 64 bytes = [k32] of 2 bytes
 */
#include "micro/isa/half.h"
#include "micro/isa/random.h"
#include "micro/kernel.h"

static void pack(const float *w, size_t k, uint8_t *panel)
{
    for (size_t column = 0; column < k; column++) {
        uint16_t stored = bfloat_from_float(w[column]);
        memcpy(panel + column * sizeof stored, &stored, sizeof stored);
    }
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k, (void)row;
    uint16_t stored;
    memcpy(&stored, panel + column * sizeof stored, sizeof stored);
    return (double)bfloat_to_float(stored);
}

/* Those of an output head are read for every reference. */
static void row_weights(const uint8_t *panel, size_t k, uint32_t row, double *weights)
{
    for (size_t column = 0; column < k; column++)
        weights[column] = weight(panel, k, row, (uint32_t)column);
}

static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    for (size_t column = 0; column < k; column++) {
        uint16_t stored = bfloat_from_float(random_float(random));
        memcpy(panel + column * sizeof stored, &stored, sizeof stored);
    }
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 16,
    .rows_per_panel = ROWS,
    .k_per_step = STEP_COLUMNS,
    .step_bytes = STEP_BYTES,
    .max_k = 1 << 24,
    .pack = pack,
    .weight = weight,
    .fill = fill,
    .row_weights = row_weights,
};
