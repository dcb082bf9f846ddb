/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/kind.h"

/**
 * What a characterization is for: which cells it takes, and in which order. A purpose is one file
 * harness/plan/purposes/<name>.c that ends in `const struct purpose purpose_<name>`; make registers it, `characterize
 * --for=<name>` and `list plan --for=<name>` take it.
 *
 * A purpose that wants a fixed list gives its cells a value and all others PURPOSE_NOT_WANTED; what those cells are held
 * against (the roof of their team, gamma of their sequence) has to have a lower value, so that it is measured before.
 */
struct purpose {
    const char *name;
    const char *summary; /* one line: what it measures and for whom */
    const char *budget;  /* of `--budget`, where none is given: budget_parse */
    unsigned kept;       /* samples, or pairs, of each cell; at least STATS_KEPT_LEAST */
    /** Of a cell other than `kept`, at least STATS_KEPT_LEAST; or NULL: of none. */
    unsigned (*kept_of)(const struct cell *cell);
    unsigned blocks; /* of `--blocks`, where none is given; 0: 1 */

    /**
     * The value of a cell of those that all kinds plan: less is taken first, all of one value in order of their kinds'
     * ranks and then the cheapest first.
     */
    unsigned (*value)(const struct planning *planning, const struct cell *cell);

    /** A word for a value, as in `list plan`. */
    const char *(*value_name)(unsigned value);

    /** What cells of a value are for, in some words; or NULL: not said. */
    const char *(*value_purpose)(unsigned value);
};

enum { PURPOSE_NOT_WANTED = 1000 };

/** All of them, NULL-terminated. */
const struct purpose *const *purpose_all(void);

/** NULL: none of that name. */
const struct purpose *purpose_find(const char *name);

/** The one that is taken where none is named. */
extern const struct purpose purpose_machine;
