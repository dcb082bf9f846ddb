/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_CHARACTERIZATION_PLAN_H
#define HARNESS_PLAN_CHARACTERIZATION_PLAN_H

#include "harness/cells/cell/cell.h"
#include "harness/measure/session.h"
#include "harness/plan/purpose.h"

/**
 * List all cells that a purpose wants of this machine into an empty cells, those of a group together, each with its
 * value. Nothing runs. @return 0 or -ENOMEM
 */
int characterization_list(struct session *session, const struct purpose *purpose, struct cells *cells);

/** The same, after kernels of plug-ins were tried on every matrix they will be measured with. @return 0 or -ENOMEM */
int characterization_plan(struct session *session, const struct purpose *purpose, struct cells *cells);

#endif
