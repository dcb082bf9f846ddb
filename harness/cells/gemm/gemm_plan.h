/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMM_GEMM_PLAN_H
#define HARNESS_CELLS_GEMM_GEMM_PLAN_H

#include "harness/cells/product/product_cell.h"
#include "harness/measure/session.h"

/**
 * GEMMs in a characterization: on the reference shape from memory, one thread and the widest team, over few numbers of
 * tokens. Members of a kind of those names.
 */
int gemm_plan(struct cells *cells, const struct planning *planning);
enum cell_value gemm_value(const struct planning *planning, const struct cell *cell);
struct cell_cost gemm_cost(const struct session *session, const struct cell *cell);

#endif
