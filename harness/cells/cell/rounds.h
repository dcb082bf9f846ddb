/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdint.h>

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/execution.h"

/** Cells in rounds of random order. */

/**
 * Visit cells [first, end) in random order, `rounds` times, `count` samples a visit. Cells that need the same
 * weights written to the pool stand together: filling it takes longer than reading it.
 * @return 0; the error of the cell that ended it (*failed is its index); -EINTR stopped; -ETIME past the deadline
 */
int cells_visit(struct session *session, struct cells *cells, size_t first, size_t end, unsigned rounds, unsigned count,
                const struct execution *execution, size_t *failed);

/**
 * Visit those cells of [first, end) again that have fewer than `wanted` kept samples (as their kind counts them),
 * until all have them or patience_s is over. A neighbour on the sibling hardware thread takes issue slots
 * and ports, which rejects samples and inflates gamma, but neighbours come and go.
 * @return as cells_visit; running out of patience is no error
 */
int cells_settle(struct session *session, struct cells *cells, size_t first, size_t end, size_t wanted,
                 double patience_s, const struct execution *execution, size_t *failed);

/* ---- what other ways to carry out cells are made of ---- */

void cells_shuffle(struct session *session, size_t *order, size_t count);

/** Visit the cells named by order once, `samples` each; progress is done … done + part. @return as cells_visit */
int cells_visit_round(struct session *session, struct cells *cells, const size_t *order, size_t count, unsigned samples,
                      const struct execution *execution, double done, double part, size_t *failed);

/** Core cycles of the shorter sample of a pair; as many iterations are the most there are. */
enum { SAMPLE_CYCLES = 40000 };

/** Iterations of a loop in such a sample, if one takes this many core cycles: 4 to SAMPLE_CYCLES. Pure. */
uint64_t sample_iterations(double cycles);
