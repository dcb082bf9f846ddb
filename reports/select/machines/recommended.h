/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_SELECT_MACHINES_RECOMMENDED_H
#define REPORTS_SELECT_MACHINES_RECOMMENDED_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/select/kernels/cells.h"
#include "results/statistics/ratio.h"

/**
 * What to run on a machine: of each width of weights the fastest kernel that a run knows, by cold GEMVs of one shape with the
 * widest team. Products of planes have activations of fewer bits than 8 and do not compete.
 */

/** Share of what memory gives the widest team from which a team is said to fill it. */
#define RECOMMENDED_FILLS 0.85

/** Kernels whose intervals overlap, and whose shares are that close to the fastest's, are alike: the one with the highest knee is named. */
#define RECOMMENDED_ALIKE 0.98

/** The model that tokens per second are of. */
#define RECOMMENDED_MODEL "llama3-8b"

/** A width as people name it, and the bits of the formats that are of it. */
struct recommended_width {
    const char *name;     /* "1.58" */
    double least, most;   /* bits per weight that a format is named for */
    const char *measured; /* what `kneepoint gemv` is given to measure it; NULL: shown only where it was measured */
};

enum { RECOMMENDED_MAX = 16 };

/** All of them, narrowest first. @return how many */
size_t recommended_widths(const struct recommended_width **widths);

struct recommended {
    const struct recommended_width *width;
    const json_t *cell;      /* gemv record as reported; NULL: no valid one of this width */
    const json_t *published; /* the fastest on the same shape that is not ours; NULL: none */
    const json_t *
        gamma; /* of the cell's sequence, with other accumulators where that of its own is not there; NULL: not measured */
    struct bounded knee;     /* B / gamma in B/cycle; NaN without gamma */
    struct bounded attained; /* B/cycle a core */
    struct bounded share;    /* of the roof measured alongside */
    struct bounded published_share;
    struct bounded published_knee; /* of the best sequence that is not ours, of this width */
    unsigned fills;   /* fewest threads that read RECOMMENDED_FILLS of the roof of the widest team; 0: no team does */
    bool fills_known; /* several teams were measured */
    struct bounded tokens_per_s; /* bound by the GEMVs of RECOMMENDED_MODEL; interval NaN where shapes are modelled */
    double tokens_measured;      /* share of a token's bytes in shapes that were measured */
};

/** The widest team of the valid cold GEMVs; 0: there are none. */
unsigned recommended_team(const struct view *view);

/**
 * A row a width: those that are always shown, and the others that were measured.
 * @return how many were written, narrowest first
 */
size_t recommended_of(const struct view *view, struct recommended rows[RECOMMENDED_MAX]);

/** The row of the width of so many bits; cell NULL where it has none. */
struct recommended recommended_of_bits(const struct view *view, double bits);

/** A quantity of a record with its interval; NaN where it rests on fewer than 6 samples or is not there. */
struct bounded recommended_quantity(const json_t *record, const char *field);

/** B / gamma of a gamma record, the interval from that of gamma. */
struct bounded recommended_knee(const json_t *gamma);

#endif
