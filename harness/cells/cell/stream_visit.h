/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/kind.h"
#include "harness/measure/session_stream.h"

/** A cell that reads a stream from a level of the memory and does nothing else. */

/** What a member reads of memory in a sample, so that the start of a stream does not show; of a cache about as much, in passes. */
enum { STREAM_VISIT_MEMORY_BYTES = 1024 * SESSION_STREAM_UNIT };

/**
 * Set the cell's team, protocol and repeats for a level, "memory" or "L3", "L2", "L1".
 * @param memory_bytes  of memory in a sample
 * @return              bytes that a member reads in one repeat: those, or of a cache what fits
 */
size_t stream_visit_size(const struct session *session, struct cell *cell, const char *level, unsigned threads,
                         size_t memory_bytes);

/**
 * Take samples: cold places in each member's own pool for memory, which are others each time; one buffer that is read once before
 * each sample for a cache.
 * @return 0 or as cell_kind.visit
 */
int stream_visit(struct session *session, struct cell *cell, const struct session_stream *stream, size_t bytes,
                 unsigned count);

/** What a visit takes where the speed of the memory is not known yet. */
struct cell_cost stream_visit_cost(const struct cell *cell, size_t bytes);
