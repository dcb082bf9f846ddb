/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMV_WEIGHTS_H
#define HARNESS_CELLS_GEMV_WEIGHTS_H

#include "harness/cells/gemv_cell.h"
#include "harness/cells/gemv_schedule.h"
#include "harness/team/gemv.h"

/**
 * Weights of a cell by its own GEMV, into the cell's schedule: share_weights_measure.
 * @param gemv     prepared, its pool filled; its schedule is changed
 * @param granule  at which weights begin in the pool
 */
int gemv_weights_measure(struct session *session, struct cell *cell, struct gemv *gemv, size_t granule);

/**
 * The same for whoever multiplies matrices of a shape in another way: by a GEMV from memory that is measured for nothing
 * else, into a schedule of the first members. The session's team is one of so many members afterwards.
 * @return as share_weights_measure, with one line in why
 */
int gemv_weights_find(struct session *session, const struct kernel *kernel, const struct shape *shape,
                      struct gemv_schedule *schedule, char *why, size_t size);

#endif
