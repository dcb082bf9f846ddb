/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/summary.h"

/**
 * Latency of a level of the memory: what one load takes that must wait for the one before, in a chase through the
 * lines in random order. Idle: one core alone. Loaded: the first member of a team chases while the others read streams
 * from memory, with a pause after each line: the longer it is, the less they read.
 */
struct latency_cell {
    const char *level; /* "memory", "L3", "L2", "L1" */
    size_t bytes;      /* that the chase goes through */
    bool loaded;
    unsigned pause;       /* of a reader after each line: turns of an empty loop, about a core cycle each */
    double huge_fraction; /* of the chase's memory on huge pages; NaN: unknown */
};
extern const struct cell_kind cell_kind_latency;

/** What only a latency cell has; NULL for a cell of another kind. */
static inline struct latency_cell *latency_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_latency ? cell->own : NULL;
}

/** Add the idle latency of a level. 0 or -ENOMEM. */
int latency_add(struct cells *cells, const struct session *session, const char *level);

/** Add the loaded latency of memory beside threads - 1 readers, at every pause. 0; -EINVAL of one thread; -ENOMEM. */
int latency_add_loaded(struct cells *cells, const struct session *session, unsigned threads);

/** Core cycles of a load. */
struct graded latency_cycles(const struct cell *cell);
/** Bytes per second that the readers attain meanwhile; without values for an idle cell. */
struct graded latency_load(const struct cell *cell);
