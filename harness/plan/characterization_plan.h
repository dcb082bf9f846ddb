/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_CHARACTERIZATION_PLAN_H
#define HARNESS_PLAN_CHARACTERIZATION_PLAN_H

#include "harness/cells/cell/cell.h"
#include "harness/measure/session.h"

/** List all cells of this machine into an empty cells, those of a group together. @return 0 or -ENOMEM */
int characterization_plan(struct session *session, struct cells *cells);

#endif
