/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "platforms/described/described.h"
#include "roofline/ebw.h"

/**
 * The model applied to a described machine: what one kernel attains there, kind by kind and as a whole.
 * Errors: -EINVAL or -ENOENT with one line in why.
 */
enum { PREDICTION_MOST_KINDS = 8 };

/** A matrix of m rows and k columns of weights; m 0 for none. */
struct prediction_shape {
    size_t m, k;
};

/** Which cores take part, by kind in the order of the platform. */
struct prediction_team {
    size_t cores[PREDICTION_MOST_KINDS];
    size_t total;
};

struct prediction {
    const struct described_platform *platform; /* outlives the prediction */
    const char *kernel;                        /* as asked for */
    struct prediction_team team;
    const char *gamma_names[PREDICTION_MOST_KINDS];                /* of the entries that it is predicted from */
    const struct described_kernel *kernels[PREDICTION_MOST_KINDS]; /* with omega; NULL: the platform has none of it */
    struct roofline_kind kinds[PREDICTION_MOST_KINDS];
    double bits_per_weight, bytes_per_vector;
    double bytes_per_s, bytes_per_s_serial; /* perfect overlap, none */
    double bytes_per_s_overlap;             /* with omega; NaN where a kind in the team has none */
    struct prediction_shape shape;
    double packed_bytes, predicted_s, predicted_serial_s; /* NaN without a shape */
    double predicted_overlap_s;                           /* and without omega */
};

/** Whether a platform states what the model needs. @return 0, or -ENODATA with what is missing and which have it */
int prediction_possible(const struct described_platform *platform, char *why, size_t size);

/**
 * Read a team: NULL for all cores, "4" for this many cores, first kind first, or "P=4,E=2".
 * -EINVAL for a malformed one, -ERANGE for more cores than the platform has. The platform has to be a possible one.
 */
int prediction_plan_team(const char *text, const struct described_platform *platform, struct prediction_team *team,
                         char *why, size_t size);

/**
 * Predict a kernel. beta stays that of all cores reading, so what fewer cores attain is underestimated.
 * A platform without a synchronisation time adds none; its start of a call, if stated, holds that. Without omega of the
 * kernel there is no prediction but max. -ENOENT if a kind in the team has neither kernel nor gamma of it.
 */
int prediction_make(const struct described_platform *platform, const char *kernel, const struct prediction_team *team,
                    struct prediction_shape shape, struct prediction *prediction, char *why, size_t size);

/** Record of type "prediction". New reference. */
json_t *prediction_record(const struct prediction *prediction);
