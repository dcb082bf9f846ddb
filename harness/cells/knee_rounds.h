/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_KNEE_ROUNDS_H
#define HARNESS_CELLS_KNEE_ROUNDS_H

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/execution.h"

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

#endif
