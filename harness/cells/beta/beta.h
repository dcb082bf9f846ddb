/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/execution.h"
#include "harness/cells/cell/summary.h"

/**
 * beta: what one core reads of a level of the memory while all cores of the team read. Each level and team has one roof,
 * a cell whose stream is chosen by a search among all streams that run. The samples of the search lie in cells of their
 * own, one a stream; those of the roof were taken after the choice, and they alone are beta.
 */
struct beta_cell {
    bool roof;
    struct session_stream stream; /* of a roof: NULL inside until it is chosen */
    const char *level;            /* "memory", "L3", "L2", "L1" */
    size_t bytes;                 /* one member reads in one repeat */
};
extern const struct cell_kind cell_kind_beta;

/** What only a beta cell has; NULL for a cell of another kind. */
static inline struct beta_cell *beta_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_beta ? cell->own : NULL;
}

/**
 * The roof of a level and team size; or also every runnable read stream at every prefetch distance, to search among. 0 or
 * -ENOMEM.
 */
int beta_add_roof(struct cells *cells, const struct session *session, const char *level, unsigned threads);
int beta_add(struct cells *cells, const struct session *session, const char *level, unsigned threads);

/** Bytes per second of the team. */
struct graded beta_bandwidth(const struct cell *cell);
/** Bytes per core cycle per core. */
struct graded beta_summary(const struct cell *cell);

/** The roof of a level and team size, measured or not; NULL if it is not planned. */
struct cell *beta_roof_cell(const struct cells *cells, const char *level, unsigned threads);

/** The same if enough of its samples were kept for beta to be stated; else NULL. */
const struct cell *beta_roof(const struct cells *cells, const char *level, unsigned threads);

/**
 * Choose the stream of the roof of a level and team size by a search, unless it was chosen before (by an earlier process
 * of the run, too), tell the session, and read it: some 18 samples at first, 6 more each time it is called again. Cells
 * that are missing are added.
 * @return as cells_visit; a roof without a kept sample is no error
 */
int beta_find_roof(struct session *session, struct cells *cells, const char *level, unsigned threads,
                   const struct execution *execution, size_t *failed);
