/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_PLAN_ROUNDS_H
#define HARNESS_PLAN_PLAN_ROUNDS_H

#include "harness/plan/plan.h"
#include "harness/plan/plan_execution.h"

/** Cells in rounds of random order. */

/**
 * Visit cells [first, end) in random order, `rounds` times, `count` samples a visit. GEMV cells whose weights the pool
 * has to be filled with stand together: filling it takes longer than reading it.
 * @return 0; the error of the cell that ended it (*failed is its index); -EINTR stopped; -ETIME past the deadline
 */
int plan_visit(struct session *session, struct plan *plan, size_t first, size_t end, unsigned rounds, unsigned count,
               const struct execution *execution, size_t *failed);

/* ---- what other ways to carry out a plan are made of ---- */

void plan_shuffle(struct session *session, size_t *order, size_t count);

/** Visit the cells named by order once, `samples` each; progress is told as done … done + part. @return as plan_visit
 */
int plan_visit_round(struct session *session, struct plan *plan, const size_t *order, size_t count, unsigned samples,
                     const struct execution *execution, double done, double part, size_t *failed);

#endif
