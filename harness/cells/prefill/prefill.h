/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_PREFILL_PREFILL_H
#define HARNESS_CELLS_PREFILL_PREFILL_H

#include "harness/cells/cell/summary.h"
#include "harness/cells/decode/decode_work.h"
#include "harness/decode/prefill_pass.h"

/**
 * A prompt through a model: all layers by GEMMs and the output head of its last token, from memory
 * (harness/decode/prefill_pass.h). A pass over a long prompt takes seconds, and in seconds an operating system always does
 * something else: no sample of that length is kept. So a sample is a piece of a step of a layer, or of the head, of half a
 * millisecond where a step is longer, in a pass whose pieces are timed one by one, in order and over the memory of a whole
 * pass. Layers are alike, and so are the pieces of a step but for their size: a visit runs as many layers as give each step
 * the samples that were asked for, again from the first if the model has fewer. The pass is put together from medians:
 *
 *     T = layers * sum_step median(time of a piece / its share in the step) + the same of the head
 *
 * Its interval is the sum of the steps' intervals, which is wider than theirs.
 */

struct prefill_cell {
    struct decode_work work;
    enum prefill_step step[PREFILL_STEPS]; /* of a layer, and last the head's two */
    size_t steps;
    size_t pieces[PREFILL_STEPS]; /* that each is timed in, chosen at the first visit; 0: not yet */
    double *share;                /* [period] of each piece in its step; owned; NULL: not yet */
    size_t period;                /* pieces of a layer and the head: sample i is of piece i modulo this one */
    size_t distinct;              /* layers that had weights of their own, in all visits; 0: none yet */
    double huge_fraction;         /* of the weights */
    double distance;              /* of the reduced model's logits from the scalar ones */
    struct decode_code code;
};
extern const struct cell_kind cell_kind_prefill;

/** What only such a cell has; NULL for a cell of another kind. */
struct prefill_cell *prefill_cell(const struct cell *cell);

/** 0 or -ENOMEM. */
int prefill_add(struct cells *cells, const struct decode_work *work);

/** Seconds of the whole pass, of a part of it in all layers, and tokens of the prompt a second, put together as above. */
struct graded prefill_time(const struct cell *cell);
struct graded prefill_part_time(const struct cell *cell, enum decode_part part);
struct graded prefill_tokens(const struct cell *cell);
/** Share of the layers' GEMMs; NaN where a step has too few samples. */
double prefill_alpha(const struct cell *cell);

#endif
