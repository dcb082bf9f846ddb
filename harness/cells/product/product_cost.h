/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_PRODUCT_PRODUCT_COST_H
#define HARNESS_CELLS_PRODUCT_PRODUCT_COST_H

#include "harness/cells/product/product_cell.h"
#include "harness/measure/session.h"

/** Seconds in which a team reads the packed matrix of a cell, where the machine is not known yet. */
double product_cost_reading(const struct cell *cell);

/**
 * What a GEMV or GEMM cell takes (cell_kind.cost), where a call takes so many seconds: to begin a visit, the clocks, the reads of
 * the roof, which read as much within limits, filling the pool; not what multiplying for the reference takes.
 */
struct cell_cost product_cost(const struct session *session, const struct cell *cell, double call_s);

#endif
