/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/execution.h"
#include "harness/cells/cell/summary.h"
#include "harness/measure/session_pool_curve.h"

/**
 * Seconds that the search takes at most: a size is left out that would pass them, since it takes at least twice as long as the one
 * before. What the one takes that is under way when others come to the machine is the only excess.
 */
#define POOL_SEARCH_MOST_S 10.0

/**
 * Is cold cold? What the widest team reads of 1, 2, 4, 8 times the last-level caches that the machine states, and of more
 * until that stops falling: a hypervisor may state less cache than there is. A cell is one size.
 */
struct pool_cell {
    unsigned times;      /* the stated caches, dealt out to the members */
    size_t bytes;        /* of each member */
    size_t sample_bytes; /* read of them by each member in a sample; before it, all the others */
    struct session_stream stream;
    bool known;     /* of samples that were restored: they are of this size */
    bool no_memory; /* at the last visit: why it failed */
};
extern const struct cell_kind cell_kind_pool;

/** What only a pool cell has; NULL for a cell of another kind. */
static inline struct pool_cell *pool_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_pool ? cell->own : NULL;
}

/** Bytes per second of the team. */
struct graded pool_bandwidth(const struct cell *cell);

/** Where reading stops getting slower, and the cell of that size; NULL where that is not known. */
struct pool_verdict pool_verdict(const struct cells *cells, const struct cell **of);

/**
 * Read ever larger pools until reading stops getting slower, and tell the session what is cold. Once a session: of one
 * that knows nothing is done. Cells that are missing are added. A size for which there is no memory, or which would take too long,
 * is left out, as its `why` says; session->search tells how it ended.
 * @return as cells_visit
 */
int pool_find(struct session *session, struct cells *cells, const struct execution *execution, size_t *failed);
