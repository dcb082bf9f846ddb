/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMV_GEMV_PLAN_H
#define HARNESS_CELLS_GEMV_GEMV_PLAN_H

#include "harness/cells/product/product_cell.h"

/**
 * GEMVs in a characterization, by tiers (harness/cells/product/main_kernels.h), after the start of a call with each team. Members
 * of a kind of those names.
 */
int gemv_plan(struct cells *cells, const struct planning *planning);
enum cell_value gemv_value(const struct planning *planning, const struct cell *cell);
struct cell_cost gemv_cost(const struct session *session, const struct cell *cell);
bool gemv_of_use_together(const struct cell *cell);

#endif
