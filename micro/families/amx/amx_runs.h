/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs of 256 columns with one scale, of activations: what requantized weights are multiplied with on tiles.
 */
#ifndef MICRO_FAMILIES_AMX_AMX_RUNS_H
#define MICRO_FAMILIES_AMX_AMX_RUNS_H

#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/isa/amx_tiles.h"
#include "micro/kernel.h"

enum {
    RUN_COLUMNS = 256, /* with one scale */
    RUN_STEPS = RUN_COLUMNS / 64,
};

static size_t runs_of(size_t k)
{
    return (k + RUN_COLUMNS - 1) / RUN_COLUMNS;
}

/** A run of a token, with zeros after k. */
static void quantize(const float *x, size_t columns, struct q8_256 *to)
{
    float padded[RUN_COLUMNS] = {0};
    if (columns < RUN_COLUMNS)
        x = memcpy(padded, x, columns * sizeof *x);
    q8_256_make(x, RUN_COLUMNS, to);
}

/* ---- what one token must give ---- */

static size_t prepared_bytes(size_t k)
{
    return runs_of(k) * sizeof(struct q8_256);
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct q8_256 *to = prepared;
    for (size_t column = 0; column < k; column += RUN_COLUMNS)
        quantize((const float *)activations + column, at_most(k - column, RUN_COLUMNS), to++);
}

#endif
