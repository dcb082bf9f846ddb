/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMV_GEMV_TIERS_H
#define HARNESS_CELLS_GEMV_GEMV_TIERS_H

#include "harness/cells/product/product_cell.h"
#include "harness/measure/session.h"
#include "micro/shape.h"

/**
 * Tiers of GEMV cells in a characterization: every kernel on the reference shape; then the formats and shapes of the
 * paper behind the model, all teams, cold and warm; then those of the other papers, and the other main kernels on the shapes of
 * that paper, cold, with the widest team or where the paper varies the threads with all.
 */
enum gemv_tier { GEMV_REFERENCE, GEMV_MAIN_PAPER, GEMV_PAPERS, GEMV_TIERS };

/** The tier of a kernel on a shape; GEMV_TIERS if it does not run on it. */
enum gemv_tier gemv_tier_of(const struct session *session, const struct kernel *kernel, const struct shape *shape);

/** Each format's best kernel of those that have a GEMV, and the papers' in their best variants; kernels of plug-ins, which are what is asked. */
bool gemv_is_main(const struct session *session, const struct kernel *kernel);

/** What a GEMV cell is worth, what it takes, and whether it is of use alone: the members of a kind of those names. */
enum cell_value gemv_value(const struct planning *planning, const struct cell *cell);
struct cell_cost gemv_cost(const struct session *session, const struct cell *cell);
bool gemv_of_use_together(const struct cell *cell);

#endif
