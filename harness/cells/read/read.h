/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/summary.h"

/**
 * A cold read of as many bytes as a matrix has, and nothing else: by the stream that is the roof of the team, of consecutive bytes of
 * the pool that matrices lie in, each time of others, with the roof before it, as gemv cells are visited. The roof reads 2 MiB at least;
 * what it attains of that is what no kernel can exceed by much on a matrix so small, since first misses and the prefetchers that have
 * yet to see a stream are in it.
 */
struct read_cell {
    size_t bytes; /* of the team */
};
extern const struct cell_kind cell_kind_read;

/** What only a read cell has; NULL for a cell of another kind. */
static inline struct read_cell *read_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_read ? cell->own : NULL;
}

/** One of this many bytes with a team, unless it is there. 0 or -ENOMEM. */
int read_add(struct cells *cells, size_t bytes, unsigned threads);

/** That cell with samples; NULL: none. */
const struct cell *read_find(const struct cells *cells, size_t bytes, unsigned threads);

/** What it attains of the roof before it. */
struct graded read_roof_fraction(const struct cell *cell);

/** Beside a product of a matrix: "read_s" and "read_roof_fraction" of a read of as many bytes; nothing where none was measured. */
void read_set_fields(json_t *record, const struct cells *cells, size_t bytes, unsigned threads);
