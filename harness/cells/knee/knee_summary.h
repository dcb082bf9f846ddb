/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/summary.h"
#include "harness/cells/knee/knee.h"

/** What knee cells say. */

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

/**
 * omega of a cell (roofline/overlap.h), with the interval that those of e_bw, beta and gamma leave it; n 0 where one of
 * them is not known or where one side is too small beside the other.
 */
struct graded knee_omega(const struct cells *cells, const struct cell *cell);

/** As struct cell_kind wants it; of the parts of this kind. */
json_t *knee_record(const struct session *session, const struct cells *cells, const struct cell *cell);
