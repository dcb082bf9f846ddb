/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_BETA_H
#define HARNESS_CELLS_BETA_H

#include "harness/cells/cell/execution.h"
#include "harness/cells/cell/summary.h"

/**
 * beta: what one core reads of a level of the memory while all cores of the team read. The fastest stream is the roof.
 */
struct beta_cell {
    struct session_stream stream;
    const char *level; /* "memory", "L3", "L2", "L1" */
    size_t bytes;      /* one member reads in one repeat */
};
extern const struct cell_kind cell_kind_beta;

/** What only a beta cell has; NULL for a cell of another kind. */
struct beta_cell *beta_cell(const struct cell *cell);

/** Every runnable read stream at every prefetch distance, for a level and team size. 0 or -ENOMEM. */
int beta_add(struct cells *cells, const struct session *session, const char *level, unsigned threads);

/** Bytes per second of the team. */
struct graded beta_bandwidth(const struct cell *cell);
/** Bytes per core cycle per core. */
struct graded beta_summary(const struct cell *cell);

/** Fastest stream cell of a level and team size, NULL if there is none. */
const struct cell *beta_roof(const struct cells *cells, const char *level, unsigned threads);

/** The stream of that label, of those that a level and team size would be measured with. 0, -ENOENT or -ENOMEM. */
int beta_find_stream(const struct session *session, const char *level, unsigned threads, const char *label,
                     struct session_stream *stream);

/**
 * Find the roof of a level and team size among cells [first, end), all beta cells of that kind: all get a few samples,
 * the faster ones more, the fastest most, and some more where not one sample of them was kept. The winners are stored
 * in the session.
 */
int beta_find_roof(struct session *session, struct cells *cells, size_t first, size_t end,
                   const struct execution *execution, size_t *failed);

#endif
