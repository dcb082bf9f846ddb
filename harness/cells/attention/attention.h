/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/summary.h"
#include "micro/layers/layer.h"
#include "micro/layers/model.h"

/**
 * Attention of a prompt over itself: a tile of the queries that share a key-value head, in the middle of the prompt, whose
 * positions are as many as those of all tiles on average; on one core, by the best code that runs, keys and values where the
 * caches hold them.
 */
struct attention_cell {
    const struct layer_kernel *code;
    size_t heads, head_size, tokens; /* query heads; without padding; of the prompt */
    size_t tile, before;             /* tokens of the tile, and those before it */
};
extern const struct cell_kind cell_kind_attention;

/** What only such a cell has; NULL for a cell of another kind. */
static inline struct attention_cell *attention_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_attention ? cell->own : NULL;
}

/** Nothing is added if the cells have it already. 0 or -ENOMEM. */
int attention_add(struct cells *cells, const struct session *session, const struct model *model, size_t tokens);

/** Seconds of one key-value head over the whole prompt, from those of its tile; NaN if it was not measured often enough. */
double attention_time(const struct cells *cells, const struct model *model, size_t tokens);

/** Multiply-adds of scores and sums a core cycle; those that a token is not to attend to are not counted. */
struct graded attention_rate(const struct cell *cell);
