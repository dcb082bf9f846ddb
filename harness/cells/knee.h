/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_KNEE_H
#define HARNESS_CELLS_KNEE_H

#include "harness/cells/cell/summary.h"

/**
 * The knee put to the test: a sequence with the loads of its weights, as a stream from a level of the memory, beside the
 * read stream of the same level, team and size. A pair of samples counts if both are kept, with the lower of their
 * grades, so that the quantities below are of the same pairs.
 */
struct knee_cell {
    const struct sequence_variant *variant; /* chosen when gamma is known; NULL: not yet */
    const char *level;                      /* "memory", "L3", "L2", "L1" */
    bool prefetches;
    bool competes;         /* one of the distances that are tried; else it takes the best of those */
    size_t prefetch_bytes; /* of the software prefetch; 0: not chosen yet */
    size_t bytes;          /* one member reads in one pass; 0: not chosen yet */
};
extern const struct cell_kind cell_kind_knee;

/** What only a knee cell has; NULL for a cell of another kind. */
struct knee_cell *knee_cell(const struct cell *cell);

/**
 * Cells that stream the weights of a sequence from each of the levels (deepest first) with each of the team sizes
 * (ascending), without and with software prefetch. The distances of the prefetch compete in the first level with the
 * last team. 0 or -ENOMEM.
 */
int knee_add(struct cells *cells, const struct sequence *sequence, const char *const *levels, size_t level_count,
             const unsigned *sizes, size_t team_count);

/** Attained by one core of the team, and what its read stream attained beside it, bytes per core cycle. */
struct graded knee_e_bw(const struct cell *cell);
struct graded knee_beta(const struct cell *cell);
/** The former over the latter, pair by pair: memory that gives less for a while gives both less. */
struct graded knee_fraction(const struct cell *cell);
/** Pairs of which both samples were kept. */
size_t knee_pairs(const struct cell *cell);

/** Packed bytes of an output vector as the stream of a sequence reads them. */
double knee_vector_bytes(const struct sequence *sequence);

/**
 * Distance of the software prefetch of a sequence: what its cells took already, else the shortest of those that compete
 * that comes within 2% of the best fraction.
 * @return 0 if it is not known
 */
size_t knee_distance(const struct cells *cells, const struct sequence *sequence);

/** What the model says of a cell, and how far the measurement is from it. NaN where a part is missing. */
struct knee_model {
    double gamma, bytes;     /* cycles and packed bytes of an output vector */
    double beta, e_bw;       /* measured: medians, bytes per core cycle */
    double distance;         /* from the knee: beta * gamma / bytes */
    double predicted;        /* min(beta, bytes/gamma) */
    double predicted_serial; /* 1 / (1/beta + gamma/bytes) */
    double overlap;          /* roofline_bandwidth_overlap */
    double residual;         /* time of a byte measured minus predicted, over predicted */
    double residual_serial;
    bool above_roof, above_gamma; /* not valid: more than 1.03 of what the side alone allows */
};
struct knee_model knee_model(const struct cells *cells, const struct cell *cell);

/** As struct cell_kind wants it; of the parts of this kind. */
json_t *knee_record(const struct session *session, const struct cells *cells, const struct cell *cell);

#endif
