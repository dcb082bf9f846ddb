/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_TERM_H
#define HARNESS_CELLS_TERM_H

#include "harness/cells/term_cell.h"

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

#endif
