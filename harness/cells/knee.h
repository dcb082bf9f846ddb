/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_KNEE_H
#define HARNESS_CELLS_KNEE_H

#include "harness/cells/cell/summary.h"

/**
 * What knee cells say: a sequence as a stream beside the read stream of the same level, team and size. A pair of
 * samples counts if both are kept, with the lower of their grades, so that the quantities below are of the same pairs.
 */

/** Attained by one core of the team, and what its read stream attained beside it, bytes per core cycle. */
struct graded summary_knee_e_bw(const struct cell *cell);
struct graded summary_knee_beta(const struct cell *cell);
/** The former over the latter, pair by pair: memory that gives less for a while gives both less. */
struct graded summary_knee_fraction(const struct cell *cell);
/** Pairs of which both samples were kept. */
size_t summary_knee_pairs(const struct cell *cell);

/** Packed bytes of an output vector as the stream of a sequence reads them. */
double summary_knee_vector_bytes(const struct sequence *sequence);

/**
 * Fewest usable accumulators whose gamma is within 2% of the best of a sequence: on a plateau noise chooses the best,
 * and with fewer accumulators more of the loads can be in flight.
 * @return 0 if gamma was not measured
 */
unsigned summary_fewest_accumulators(const struct cells *cells, const struct sequence *sequence);

/** The gamma cell of a sequence with so many accumulators; NULL if it was not measured. */
const struct cell *summary_gamma_cell(const struct cells *cells, const struct sequence *sequence,
                                      uint64_t accumulators);

/**
 * Distance of the software prefetch of a sequence: what its cells took already, else the shortest of those that compete
 * that comes within 2% of the best fraction.
 * @return 0 if it is not known
 */
size_t summary_knee_distance(const struct cells *cells, const struct sequence *sequence);

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
struct knee_model summary_knee_model(const struct cells *cells, const struct cell *cell);

#endif
