/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_CHARACTERIZATION_PLAN_H
#define HARNESS_PLAN_CHARACTERIZATION_PLAN_H

#include "harness/measure/session.h"
#include "harness/cells/cell/cell.h"

/**
 * Tiers of GEMV cells: every kernel on the reference shape; then the formats and shapes of the paper behind the model,
 * all teams, cold and warm; then those of the other papers, cold, with the widest team or where the paper varies the
 * threads with all.
 */
enum tier { TIER_REFERENCE, TIER_MAIN_PAPER, TIER_PAPERS, TIERS };

/** List all cells of this machine into an empty cells, those of a group together. @return 0 or -ENOMEM */
int characterization_plan(struct session *session, struct cells *cells);

#endif
