/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/summary.h"
#include "harness/cells/decode/decode_work.h"
#include "harness/cells/product/product_schedule.h"
#include "harness/decode/decode_pass.h"

/**
 * One token of a model: all layers and the output head, from memory (harness/decode/decode_pass.h); or one token of each of several
 * users at once, by GEMMs, each over keys and values of its own (harness/decode/prefill_pass.h).
 *
 * Before each token the read stream that is the team's roof reads a part of the same weights: what memory gives changes
 * from one second to the next where neighbours share it, so a pass is held against, and predicted from, the roof beside it.
 */

enum { DECODE_TIMED_MOST = 256 };

/** What each part of a pass took. */
struct decode_parts {
    uint64_t ns[DECODE_PARTS];
};

struct decode_cell {
    struct decode_work work;
    struct product_schedule *schedule,
        *head_schedule;   /* of the layers' GEMVs and the head's; NULL: equal shares; owned */
    uint64_t layer_bytes; /* packed, that a pass reads of the layers' matrices */
    uint64_t head_bytes, cache_bytes;

    /* what a visit found, and a run keeps (decode_restore.h) */
    size_t distinct;      /* layers that had weights of their own, in all visits; 0: not known */
    size_t joins, stamps; /* of a pass */
    double stamp_s;       /* that reading the clock takes */
    double huge_fraction; /* of the weights; NaN: not known */
    bool shares_operand;  /* all members make it */
    double distance;      /* of the reduced model's logits from the scalar ones */
    struct decode_code code;
    bool refused;              /* its record says what no visit finds */
    bool checked;              /* the reduced model was computed in this process */
    size_t first_timed, timed; /* samples [first_timed, first_timed + timed) have parts: not those of records without */
    struct decode_parts parts[DECODE_TIMED_MOST];
};
extern const struct cell_kind cell_kind_decode;

/** What only a decode cell has; NULL for a cell of another kind. */
static inline struct decode_cell *decode_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_decode ? cell->own : NULL;
}

/** The same with GEMVs shared as asked for; weights that are to be measured are, at its first visit. 0 or -ENOMEM. */
int decode_add_scheduled(struct cells *cells, const struct decode_work *work,
                         const struct product_schedule_request *layers, const struct product_schedule_request *head);

/** 0 or -ENOMEM. */
int decode_add(struct cells *cells, const struct decode_work *work);

/** Tokens a second, of all users. */
struct graded decode_tokens(const struct cell *cell);
/** Seconds of a part of a pass, and its share in the pass. */
struct graded decode_part_time(const struct cell *cell, enum decode_part part);
struct graded decode_part_share(const struct cell *cell, enum decode_part part);
/** Bytes a second of the roof beside tokens that were kept. */
struct graded decode_roof(const struct cell *cell);
/** Bytes of weights, keys and values that a token reads a second, over those of the roof beside it. */
struct graded decode_roof_fraction(const struct cell *cell);
/** alpha: the share of the layers' GEMVs in a pass. */
struct graded decode_alpha(const struct cell *cell);
