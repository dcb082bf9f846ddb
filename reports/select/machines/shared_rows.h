/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_SELECT_MACHINES_SHARED_ROWS_H
#define REPORTS_SELECT_MACHINES_SHARED_ROWS_H

#include <jansson.h>
#include <stdbool.h>

#include "reports/select/run/view.h"

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

#endif
