/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_PLAN_ROOF_H
#define HARNESS_PLAN_PLAN_ROOF_H

#include "harness/plan/plan.h"
#include "harness/plan/plan_execution.h"

/**
 * Find the roof of a level and team size among cells [first, end), all beta cells of that kind: all get a few samples,
 * the faster ones more, the fastest most, and some more where not one sample of them was kept. The winners are stored
 * in the session.
 */
int plan_find_roof(struct session *session, struct plan *plan, size_t first, size_t end,
                   const struct execution *execution, size_t *failed);

#endif
