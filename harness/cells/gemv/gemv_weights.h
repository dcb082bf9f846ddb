/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMV_GEMV_WEIGHTS_H
#define HARNESS_CELLS_GEMV_GEMV_WEIGHTS_H

#include "harness/cells/product/product_cell.h"
#include "harness/cells/product/product_schedule.h"

/**
 * Weights (team_balance_measure) for callers that multiply matrices of a shape in another way: by a GEMV from memory that is
 * measured for nothing else, into a schedule of the first members. The session's team is one of this many members afterwards.
 * @return as team_balance_measure, with one line in why
 */
int gemv_weights_find(struct session *session, const struct kernel *kernel, const struct shape *shape,
                      struct product_schedule *schedule, char *why, size_t size);

#endif
