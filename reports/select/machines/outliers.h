/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "reports/select/run/view.h"
#include "results/statistics/fleet.h"

/** What runs are compared by: read bandwidth by level and team, gamma by sequence, GEMV cells. */

enum { SHARED_ROWS_KEYS = 6 };
enum { SHARED_ROWS_BETA, SHARED_ROWS_GAMMA, SHARED_ROWS_GEMV, SHARED_ROWS_KINDS };

/** A table. Records with the same keys are a row; of several in a run the better one counts. */
struct shared_rows {
    const char *id, *title, *about, *example;
    enum view_type type;
    const char *field, *unit, *format;
    double scale; /* of the field to the unit */
    struct {
        const char *field, *heading; /* heading with '#': a number */
    } keys[SHARED_ROWS_KEYS];
    bool (*counts)(const json_t *row);
    bool (*better)(const json_t *row, const json_t *than);
};

extern const struct shared_rows shared_rows_kinds[SHARED_ROWS_KINDS];

/** Key -> record of a run, in order of appearance; owned by the caller, and outlives the view. */
json_t *shared_rows_of(const struct shared_rows *kind, const struct view *view);

/**
 * Runs of machines that should perform the same: which of them are outliers, in read bandwidth (beta) by level and team
 * or in gamma by sequence, by results/statistics/fleet.h. Machines with the same CPU are a fleet, and each is compared with its
 * own fleet.
 *
 * Runs are taken one after the other, and may be closed once taken. Errors: 0 or -ENOMEM.
 */

enum { OUTLIERS_KINDS = SHARED_ROWS_GAMMA + 1 }; /* beta and gamma */

struct outliers_run {
    char *node; /* meta.json's node, else its host name, else the run's own name */
    char *path, *cpu;
    json_t *meta;
    json_t *rows[OUTLIERS_KINDS];
    size_t fleet;         /* the first run with the same CPU */
    size_t compared, off; /* its values that were judged, and those off */
};

/** A quantity that enough machines of a fleet have. */
struct outliers_row {
    const struct shared_rows *kind;
    char name[128]; /* "memory 8" (level and team), "int2_vnni4.mask.avx2" */
    char unit[16];  /* of all values here: that of the records, not the kind's */
    size_t fleet;
    struct fleet_spread spread;
    size_t lowest, highest; /* runs */
    double low, high;       /* their values */
};

struct outlier {
    size_t run, row;
    double value;
};

struct outliers {
    struct outliers_run *runs;
    size_t count, fleets; /* runs, and groups of one CPU that are large enough to be judged */
    struct outliers_row *rows;
    size_t row_count;
    struct outlier *found;        /* by run, the farthest from its median first */
    size_t found_count, compared; /* values off, and values judged */
};

/** Take the values of a run. outliers is zeroed before the first. */
int outliers_add(struct outliers *outliers, const struct view *view);

/** Judge all that were taken, once. */
int outliers_find(struct outliers *outliers);

void outliers_free(struct outliers *outliers);

/** The quantity that it is an outlier of. */
const struct outliers_row *outlier_row(const struct outliers *outliers, const struct outlier *outlier);

/** Distance from the fleet's median as a fraction of it, with its sign. */
double outlier_fraction(const struct outliers *outliers, const struct outlier *outlier);

/** {"type":"outlier",…}, a new reference. */
json_t *outlier_record(const struct outliers *outliers, const struct outlier *outlier);

/** One line on a run that is off: its values off, of how many, and the farthest of them. */
void outliers_line(const struct outliers *outliers, size_t run, char *line, size_t size);
