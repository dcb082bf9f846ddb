/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/product/product_cell.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cells/product/product_schedule.h"

/**
 * Cold, with each of the teams, and with the software prefetch that a rendering's original lacks, its prefetch_beside; nothing of
 * a kernel without one. 0 or -ENOMEM.
 */
int gemv_add_prefetched(struct cells *cells, const struct kernel *kernel, const struct shape *shape,
                        const unsigned *sizes, size_t teams);

/**
 * Weights (team_balance_measure) for callers that multiply matrices of a shape in another way: by a GEMV from memory that is
 * measured for nothing else, into a schedule of the first members. The session's team is one of this many members afterwards.
 * @return as team_balance_measure, with one line in why
 */
int gemv_weights_find(struct session *session, const struct kernel *kernel, const struct shape *shape,
                      struct product_schedule *schedule, char *why, size_t size);
