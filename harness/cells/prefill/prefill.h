/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/summary.h"
#include "harness/cells/decode/decode_work.h"
#include "harness/decode/prefill_pass.h"

/**
 * A prompt through a model: all layers by GEMMs and the output head of its last token, from memory
 * (harness/decode/prefill_pass.h). A pass over a long prompt takes seconds, and in seconds an operating system always does
 * something else: no sample of that length is kept. So a sample is a piece of a step of a layer, or of the head, of half a
 * millisecond where a step is longer, in a pass whose pieces are timed one by one, in order and over the memory of a whole
 * pass. Layers whose matrices have the same kernels are alike, and so are the pieces of a step but for their size: a visit goes round as
 * often as gives each step the samples that were asked for, each time through another layer of each kind, again from its first if there
 * are fewer, and the head. The pass is put together from medians:
 *
 *     T = sum_kind layers of it * sum_step median(time of a piece / its share in the step) + the same of the head
 *
 * Its interval is the sum of the steps' intervals, which is wider than theirs.
 */
struct prefill_cell_step {
    struct prefill_stage stage;
    size_t layer; /* the first of its kind; of the head 0 */
};

struct prefill_cell {
    struct decode_work work;
    size_t *kind;                   /* [layers] the first layer whose matrices have the same kernels; owned */
    struct prefill_cell_step *step; /* [steps] of a layer of each kind, and last the head's two; owned */
    size_t steps;
    size_t
        *pieces; /* [steps] that each is timed in, then their shares; chosen at the first visit; owned; NULL: not yet */
    size_t period;        /* pieces of a layer of each kind and the head: sample i is of piece i modulo this one */
    size_t distinct;      /* layers that had weights of their own, in all visits; 0: none yet */
    double huge_fraction; /* of the weights */
    double distance;      /* of the reduced model's logits from the scalar ones */
    struct decode_code code;
};
extern const struct cell_kind cell_kind_prefill;

/** What only such a cell has; NULL for a cell of another kind. */
static inline struct prefill_cell *prefill_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_prefill ? cell->own : NULL;
}

/** The share of each piece in its step, [period]; NULL: not chosen yet. */
static inline double *prefill_shares(const struct prefill_cell *cell)
{
    return cell->pieces ? (double *)(void *)(cell->pieces + cell->steps) : NULL;
}

/** 0 or -ENOMEM. */
int prefill_add(struct cells *cells, const struct decode_work *work);

/** Seconds of the whole pass, of a part of it in all layers, and tokens of the prompt a second, put together as above. */
struct graded prefill_time(const struct cell *cell);
struct graded prefill_part_time(const struct cell *cell, enum decode_part part);
struct graded prefill_tokens(const struct cell *cell);
/** Share of the layers' GEMMs; NaN where a step has too few samples. */
double prefill_alpha(const struct cell *cell);
