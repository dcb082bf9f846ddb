/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_KNEE_CELL_H
#define HARNESS_CELLS_KNEE_CELL_H

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

#endif
