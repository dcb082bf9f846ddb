/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/summary.h"
#include "micro/stream.h"
#include "roofline/gemm.h"

/**
 * What a tile of a matrix unit takes: loaded alone, or loaded and multiplied with one that stays, from each level of the memory, by
 * the ordinary load and by the streaming one. Tiles lie one after the other, as in packed panels. It is to the operands of a GEMM on
 * tiles what beta is to its weights.
 */
struct tiles_cell {
    const struct stream *stream; /* of tiles */
    const struct stream_variant *variant;
    const char *level; /* "memory", "L3", "L2", "L1" */
    size_t bytes;      /* one member loads in one pass */
};
extern const struct cell_kind cell_kind_tiles;

/** What only a tiles cell has; NULL for a cell of another kind. */
static inline struct tiles_cell *tiles_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_tiles ? cell->own : NULL;
}

/** Add all variants of all streams of tiles that run here, from a level with a team, but those that are there. 0 or -ENOMEM. */
int tiles_add(struct cells *cells, const struct session *session, const char *level, unsigned threads);

/** Add what the operands of a kernel's products take, of L1 and L2 with one thread: nothing of one without tiles. 0 or -ENOMEM. */
int tiles_add_operands(struct cells *cells, const struct session *session, const struct kernel *kernel);

/** Core cycles of a tile; bytes per second of the team. */
struct graded tiles_cycles(const struct cell *cell);
struct graded tiles_bandwidth(const struct cell *cell);

/**
 * What the cells say of the operands of a kernel's products, by the faster load of each kind. It is a roof, so of each cell what 6 of
 * its samples did not exceed: a neighbour on the other thread of a core makes a tile three times as slow for milliseconds at a time. NaN
 * inside: not known, or no tiles.
 */
struct gemm_operands tiles_operands(const struct cells *cells, const struct kernel *kernel);
