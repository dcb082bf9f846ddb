/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/execution.h"

/**
 * The measuring protocol, one for all commands: cells in rounds of random order, gammas swept over the accumulators,
 * more visits for what neighbours disturbed, and the read roof of every level and team that a number is held against.
 *
 * Functions return as cells_visit (harness/cells/cell/rounds.h), or -ENOMEM.
 */

/** This many samples of each cell in `visits` visits, or in one if they are fewer than those; 0 samples: swept. */
struct effort protocol_effort(unsigned samples, unsigned visits, size_t settled, double patience_s);

/** What measuring these cells so takes, as their kinds estimate it; without settling. */
double protocol_seconds(const struct session *session, const struct cells *cells, size_t first, size_t end,
                        const struct effort *effort);

/** Measure cells [first, end). Settling is the last tenth of its progress, of which mostly little is needed. */
int protocol_measure(struct session *session, struct cells *cells, size_t first, size_t end,
                     const struct effort *effort, const struct execution *execution, size_t *failed);

/**
 * The read roof of a level and team: the fastest of its read streams, which are added, or the one that is chosen already,
 * becomes the session's roof and is read. Before
 * the first of memory, how much of it a pool needs to be cold.
 */
int protocol_roof(struct session *session, struct cells *cells, const char *level, unsigned threads,
                  const struct execution *execution, size_t *failed);

/** What went wrong, in one line: what the cell that failed says, or the error. */
void protocol_why(const struct cells *cells, size_t failed, int error, char *why, size_t size);
