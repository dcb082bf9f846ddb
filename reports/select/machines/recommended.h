/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "reports/select/kernels/best.h"
#include "results/statistics/stats.h"

/**
 * What to run on a machine: of each width of weights the fastest kernel that a run knows, by cold GEMVs of one shape with the
 * widest team. Products of planes have activations of fewer bits than 8 and do not compete.
 */

/** The model that tokens per second are of. */
#define RECOMMENDED_MODEL "llama3-8b"

enum { RECOMMENDED_MAX = WIDTHS_MAX };

struct recommended {
    const struct width *width;
    const json_t *cell;      /* gemv record as reported; NULL: no valid one of this width */
    const json_t *published; /* of those that are not ours and of the cell's kind of weights, on the same shape, the one
                                with the highest share of the roof; NULL: none */
    struct best best, best_published; /* how the two were chosen */
    const json_t *
        gamma; /* of the cell's sequence, with other accumulators where that of its own is not there; NULL: not measured */
    struct bounded knee;     /* B / gamma in B/cycle; NaN without gamma */
    struct bounded attained; /* B/cycle a core */
    struct bounded share;    /* of the roof measured alongside */
    struct bounded published_share;
    struct bounded published_knee; /* of the best sequence that is not ours, of this width and kind */
    struct best_fill fill;
    struct bounded tokens_per_s; /* bound by the GEMVs of RECOMMENDED_MODEL; interval NaN where shapes are modelled */
    double tokens_measured;      /* share of a token's bytes in shapes that were measured */
};

/** The widest team of the valid cold GEMVs; 0: none. */
unsigned recommended_team(const struct view *view);

/**
 * A row a width: those that are always shown, and the others that were measured.
 * @return how many were written, narrowest first
 */
size_t recommended_of(const struct view *view, struct recommended rows[RECOMMENDED_MAX]);

/** Whether the picture of the first screen shows it: a width that everybody asks for, with what its kernel attains. */
bool recommended_is_shown(const struct recommended *row);

/** The row of the width of this many bits; cell NULL where it has none. */
struct recommended recommended_of_bits(const struct view *view, double bits);

/** A quantity of a record with its interval; NaN where it rests on fewer than 6 samples or is not there. */
struct bounded recommended_quantity(const json_t *record, const char *field);
