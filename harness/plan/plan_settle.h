/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_PLAN_SETTLE_H
#define HARNESS_PLAN_PLAN_SETTLE_H

#include "harness/plan/plan.h"
#include "harness/plan/plan_execution.h"

/** Visits until cells have enough samples, and the best of them the most. */

/**
 * Visit again, `rounds` times with `count` samples, the gamma cells of [first, end) that matter most: of each sequence
 * the best usable one so far and those with one accumulator more and less, whose order decides which is the best.
 * Samples may make another one the best, which then gets its share too.
 * @return as plan_visit
 */
int plan_refine_gamma(struct session *session, struct plan *plan, size_t first, size_t end, unsigned rounds,
                      unsigned count, const struct execution *execution, size_t *failed);

/**
 * The gamma cells of [first, end): a few samples of every number of accumulators tell which is the best of its
 * sequence; refined, its 95% interval comes within 1%.
 * @return as plan_visit
 */
int plan_sweep_gamma(struct session *session, struct plan *plan, size_t first, size_t end,
                     const struct execution *execution, size_t *failed);

/**
 * Visit those cells of [first, end) again that have fewer than `wanted` kept samples (gamma: on which the clock chains
 * agreed too), until all have them or patience_s is over. A neighbour on the sibling hardware thread takes issue slots
 * and ports, which rejects samples and inflates gamma, but neighbours come and go.
 * @return as plan_visit; running out of patience is no error
 */
int plan_settle(struct session *session, struct plan *plan, size_t first, size_t end, size_t wanted, double patience_s,
                const struct execution *execution, size_t *failed);

#endif
