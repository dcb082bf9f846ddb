/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/summary.h"
#include "harness/measure/session_stream.h"

/**
 * What a term of the time costs, as a difference: the same work without it and with it, one after the other in random
 * order, each cold in another place of the pool. Samples of the work without it are those of `roof`.
 */

/** One of the two: a read of a stream, or the GEMV of the cell's kernel. */
struct term_side {
    char label[48];
    struct session_stream stream; /* where the cell has no kernel */
    size_t m, k;
    unsigned repeats;      /* of it in a sample, so that both move as many bytes */
    size_t prefetch_bytes; /* of a kernel */
    bool warm;             /* the same weights again and again; else from memory */
    bool base_pages;       /* weights on pages of the base size; else as the pool lies */
};

struct term_cell {
    const char *term;          /* "streams", "prefetch", "pages", "memory", "panel_end" */
    char variant[48];          /* which, where a subject has several; else "" */
    char subject[96];          /* kernel or stream */
    struct term_side side[2];  /* without, with */
    size_t m, k;               /* of a kernel: the GEMV that it is about, which a side may be a part of */
    size_t bytes;              /* a member reads in a sample of a stream */
    const char *event;         /* what there is more of in the second; NULL: nothing that is counted */
    double events, all_events; /* how many more, and how many in the whole GEMV, per member */
};
extern const struct cell_kind cell_kind_term;

/** What only such a cell has; NULL for a cell of another kind. */
static inline struct term_cell *term_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_term ? cell->own : NULL;
}

/** The kind's visit. */
int term_visit(struct session *session, struct cell *cell, unsigned count);

/**
 * Add what the terms of a read stream of memory cost on a team: places side by side, prefetch into the first or the
 * second cache and its distance, pages of the base size. Of the widest loads that run here. 0 or -ENOMEM.
 */
int term_add_streams(struct cells *cells, const struct session *session, unsigned threads);

/**
 * Add what the terms of a kernel's GEMV cost on a team: memory beside a cache, panel ends (from memory, and from a cache,
 * which is the drain of the sums and no more), the distance of its prefetch, pages of the base size. What its format
 * does not allow is left out.
 * @return 0; -EINVAL the format does not hold the shape, with one line in why; -ENOMEM
 */
int term_add_kernel(struct cells *cells, const struct session *session, const struct kernel *kernel,
                    const struct shape *shape, unsigned threads, char *why, size_t size);

/** Seconds of the work without and with what the term is about, and the difference of the two in a pair. */
struct graded term_without(const struct cell *cell);
struct graded term_with(const struct cell *cell);
struct graded term_difference(const struct cell *cell);
/** With over without, less one. */
struct graded term_change(const struct cell *cell);
/** Seconds of each event that the one has more of than the other; no values where none is counted. */
struct graded term_cost(const struct cell *cell);
