/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "harness/measure/session.h"
#include "harness/plan/characterize/characterization.h"
#include "harness/plan/characterize/purpose.h"

/**
 * Of what has code of a kernel or sequence only that which these names mean (harness/plugin/name_argument.h), and the gamma of such a
 * kernel; roofs, barrier and clock stay. NULL or none: all.
 */
struct plan_only {
    const char *const *names;
    size_t count;
};

/** Whether each name means a kernel or sequence; NULL, or the one that does not. */
const char *plan_only_unknown(const struct plan_only *only);

/**
 * List all cells that a purpose wants of this machine into an empty cells, those of a group together, each with its
 * value. Nothing runs. @return 0 or -ENOMEM
 */
int characterization_list(struct session *session, const struct purpose *purpose, const struct plan_only *only,
                          struct cells *cells);

/** The same, after kernels of plug-ins were tried on every matrix they will be measured with. @return 0 or -ENOMEM */
int characterization_plan(struct session *session, const struct purpose *purpose, const struct plan_only *only,
                          struct cells *cells);

/**
 * Measure the chosen cells of a characterization in waves: some parts of one value at a time, visited in turns until
 * each of their cells has samples that bear weight. See struct characterization.
 * @return 0, also when the budget is over; -EINTR stopped; other errors of cells_visit, *failed is the cell
 */
int scheduler_measure(struct characterization *job, size_t *failed);
