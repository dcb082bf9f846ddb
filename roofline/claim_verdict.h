/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "roofline/interval.h"

/** Does a stated value follow from the values it is said to follow from? Pure functions. */
enum claim_verdict {
    CLAIM_HOLDS,      /* the recomputed and the stated interval meet */
    CLAIM_HOLDS_WITH, /* not as printed, but with another unit or base */
    CLAIM_UNDECIDED,  /* a limit lies within what the printed values may be rounded from: 11.8 against 11.8 */
    CLAIM_DIFFERS,
    CLAIM_VERDICTS
};

/**
 * One way to read a claim: the first is as it is printed, each other one in another unit or on another base. A stated
 * interval with an infinite end is a limit, which a recomputed one has to keep wholly; of any other it has to meet a part.
 */
struct claim_reading {
    struct interval recomputed, stated;
};

/**
 * @param which  the reading that holds or is undecided, the first of them; 0 for one that differs
 */
enum claim_verdict claim_verdict_of(const struct claim_reading *readings, size_t count, size_t *which);

/**
 * By how much a recomputed value is off the stated one, as a share of that: 0.02 is 2% too much. NaN for a stated 0.
 */
double claim_difference(double recomputed, double stated);

/** "holds", "holds-with", "undecided", "differs". */
const char *claim_verdict_name(enum claim_verdict verdict);

/** @return the verdict of this name, CLAIM_VERDICTS for none */
enum claim_verdict claim_verdict_named(const char *name);
