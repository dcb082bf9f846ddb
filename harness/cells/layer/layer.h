/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/summary.h"
#include "harness/decode/decode.h"

/**
 * What a token does between the matrices, alone, on one core and with vectors in its caches: what a prediction of passes rests on.
 *
 *     norm            rows of a matrix added to the residual, and the norm of that
 *     rope            of all heads of a layer: output scale, rotation, and keys and values stored
 *     gate            both output scales and their product
 *     attention       over keys and values in the caches, of the query heads of one key-value head
 *     attention.cold  the same over keys and values from memory, with a read of the roof before each sample
 *
 * By the best code that runs; attention and stores by that of a kind of cache.
 */
enum layer_step {
    LAYER_STEP_NORM,
    LAYER_STEP_ROPE,
    LAYER_STEP_GATE,
    LAYER_STEP_ATTENTION,
    LAYER_STEP_COLD,
    LAYER_STEPS
};

struct layer_cell {
    enum layer_step step;
    struct decode_code code;
    enum layer_cache cache;
    struct model model; /* of attention one key-value head of it */
    size_t positions;   /* that attention is over */
    size_t layers;      /* of keys and values that take turns, as many as are cold */
};
extern const struct cell_kind cell_kind_layer;

/** What only such a cell has; NULL for a cell of another kind. */
static inline struct layer_cell *layer_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_layer ? cell->own : NULL;
}

/** The best code for the parts between the matrices that runs here, attention over this kind of cache. */
struct decode_code layer_best_code(const struct session *session, enum layer_cache cache);

/** All steps of a model with a kind of cache. Nothing is added that the cells have already. 0 or -ENOMEM. */
int layer_add(struct cells *cells, const struct session *session, const struct model *model, enum layer_cache cache);

/** Seconds of one of the first three; NaN if it was not measured often enough. */
double layer_time(const struct session *session, const struct cells *cells, const struct model *model,
                  enum layer_cache cache, enum layer_step step);

/** Attention of the query heads of one key-value head; NaN each if it was not measured often enough. */
struct layer_attention_constants {
    double position_s;  /* of computing alone */
    double bytes_per_s; /* of what one core reads alone, beside it */
    double omega;       /* how far computing hides behind reading: roofline/overlap.h */
};
struct layer_attention_constants layer_attention_constants(const struct session *session, const struct cells *cells,
                                                           const struct model *model, enum layer_cache cache);
