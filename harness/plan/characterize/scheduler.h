/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_CHARACTERIZE_SCHEDULER_H
#define HARNESS_PLAN_CHARACTERIZE_SCHEDULER_H

#include "harness/plan/characterize/characterization.h"

/**
 * Measure the chosen cells of a characterization in waves: some parts of one value at a time, visited in turns until
 * each of their cells has samples that bear weight. See struct characterization.
 * @return 0, also when the budget is over; -EINTR stopped; other errors of cells_visit, *failed is the cell
 */
int scheduler_measure(struct characterization *job, size_t *failed);

#endif
