/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/execution.h"
#include "harness/cells/cell/kind.h"

/**
 * The knee put to the test: a sequence with the loads of its weights, as a stream from a level of the memory, beside
 * the read stream of the same level, team and size. A pair of samples counts if both are kept, with the lower of their
 * grades, so that the quantities below are of the same pairs.
 */
struct knee_cell {
    const struct sequence_variant *variant; /* chosen when gamma is known; NULL: not yet */
    const char *level;                      /* "memory", "L3", "L2", "L1" */
    bool prefetches;
    bool competes;         /* one of the distances that are tried; else it takes the best of those */
    size_t prefetch_bytes; /* of the software prefetch; 0: not chosen yet */
    size_t bytes;          /* one member reads in one pass; 0: not chosen yet */
};
extern const struct cell_kind cell_kind_knee;

/** What only a knee cell has; NULL for a cell of another kind. */
static inline struct knee_cell *knee_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_knee ? cell->own : NULL;
}

/**
 * Cells that stream the weights of a sequence from each of the levels (deepest first) with each of the team sizes
 * (ascending), without and with software prefetch. The distances of the prefetch compete in the first level with the
 * last team. 0 or -ENOMEM.
 */
int knee_add(struct cells *cells, const struct sequence *sequence, const char *const *levels, size_t level_count,
             const unsigned *sizes, size_t team_count);

/**
 * Carry out the knee cells of [first, end) in random order until each has `pairs` kept pairs of samples (0: as many as
 * bring medians within some percent), or several times as many were rejected. gamma of their sequences and the roof of
 * their levels and teams come before; a cell that lacks those waits. Of the distances that compete all but the best are
 * left after a first look. May be called again, and goes on where it was.
 * @return as cells_visit
 */
int knee_measure(struct session *session, struct cells *cells, size_t first, size_t end, unsigned pairs,
                 const struct execution *execution, size_t *failed);

/** Afterwards: knee cells without a sample, for lack of what they needed, say so in their `why`. */
void knee_say_why(struct cells *cells);
