/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "results/gate/compare.h"

/**
 * A comparison that looks at its values more than once: cells that are decided at a look get no more pairs, the others
 * go on to the next one.
 *
 * Each look has an error of its own, and all of them together have alpha (Bonferroni over the looks), so it does not
 * matter which cells go on, why, or when it ends. A cell that was decided keeps its place among those that Holm's
 * procedure allows for. The first look gets half, since most cells are decided there: those that did not change. A loss
 * among many cells asks for more pairs than that one has, and few cells to take them.
 *
 * Pure functions.
 */
enum { LOOKS = 3 };

struct looks {
    size_t count;
    size_t pairs[LOOKS]; /* of a cell that gets so far, ascending */
    double alpha[LOOKS]; /* of each bound, one-sided; their sum is the rule's */
};

/** N, 2 N and 3 N pairs with alpha / 2, / 4 and / 4; or one look at N pairs with all of it. */
struct looks looks_of(size_t first_pairs, double alpha);
struct looks looks_once(size_t pairs, double alpha);

/** Whether a cell needs no more pairs: it passed, is suspected, or was given up. */
bool looks_have_decided(const struct compare_outcome *outcome);

/**
 * About how many pairs a cell would take to pass or to fail, going by its interval, which shrinks with the root of
 * their number; NaN where it has none yet.
 */
double looks_pairs_needed(const struct compare_outcome *outcome);

/**
 * Give up what would take more than twice the pairs of the last look: the reason becomes COMPARE_GIVEN_UP. It only ever
 * makes cells inconclusive, so it costs no error.
 */
void looks_give_up(const struct looks *looks, struct compare_outcome *outcomes, size_t count);

/** Fewest pairs of the first look with which one of this many cells could fail at any look. */
size_t looks_least_pairs(double alpha, size_t cells, bool once);
