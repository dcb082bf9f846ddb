/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_PLAN_ROUNDS_H
#define HARNESS_PLAN_PLAN_ROUNDS_H

#include "harness/plan/plan.h"

/** What the ways to carry out a plan are made of. */

void plan_shuffle(struct session *session, size_t *order, size_t count);

/** Visit the cells named by order once, `samples` each; progress is told as done … done + part. @return as plan_visit
 */
int plan_visit_round(struct session *session, struct plan *plan, const size_t *order, size_t count, unsigned samples,
                     const struct execution *execution, double done, double part, size_t *failed);

#endif
