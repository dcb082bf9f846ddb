/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "harness/compare/live.h"
#include "harness/compare/machine_floor.h"
#include "results/comparison/comparison.h"

/** A/A comparisons: base with itself, several times. What they show although nothing changed is the noise floor. */

struct aa_cell {
    char *label;
    double *effect; /* [comparisons] logarithms; NaN where the cell had none */
    /* after aa_floors */
    const char *name; /* NULL: base has no such cell */
    double floor;     /* logarithm; NaN: too few of its pairs have samples */
};

/** Zero it but for comparisons. */
struct aa {
    unsigned comparisons; /* to make */
    unsigned made;
    struct aa_cell *cell; /* those of the first comparison, in its order */
    size_t cells;
    size_t failed, inconclusive;    /* comparisons of that verdict */
    double layout[COMPARE_CLASSES]; /* what a change of layout alone did beside them, logarithm; NaN: not measured */
};

/** Take in one more comparison. @return 0 or -ENOMEM */
int aa_add(struct aa *aa, const struct comparison *comparison);

/**
 * Put the effects of each cell and what a change of layout does into the floor, and its floor and name into the cells.
 * @param blocks  pairs of each comparison
 * @return how many cells have a floor now, or -ENOMEM
 */
int aa_floors(struct aa *aa, const struct live *live, unsigned blocks, struct machine_floor *floor);

void aa_release(struct aa *aa);
