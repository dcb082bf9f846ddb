/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ROOFLINE_VERDICT_H
#define ROOFLINE_VERDICT_H

#include <stddef.h>

#include "roofline/interval.h"

/** Does a stated figure follow from the figures it is said to follow from? Pure functions. */
enum verdict {
    VERDICT_HOLDS,      /* the recomputed and the stated interval meet */
    VERDICT_HOLDS_WITH, /* not as printed, but with another unit or base */
    VERDICT_DIFFERS,
    VERDICTS
};

/** One way to read a claim: the first is as it is printed, each other one in another unit or on another base. */
struct verdict_reading {
    struct interval recomputed, stated;
};

/**
 * @param which  the reading that holds; 0 for one that differs
 */
enum verdict verdict_of(const struct verdict_reading *readings, size_t count, size_t *which);

/** By how much a recomputed figure is off the stated one, as a share of that: 0.02 is 2% too much. NaN for a stated 0.
 */
double verdict_difference(double recomputed, double stated);

/** "holds", "holds-with", "differs". */
const char *verdict_name(enum verdict verdict);

/** @return the verdict of this name, VERDICTS for none */
enum verdict verdict_named(const char *name);

#endif
