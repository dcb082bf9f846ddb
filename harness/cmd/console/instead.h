/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/kind.h"
#include "harness/cmd/console/table.h"
#include "harness/measure/session.h"
#include "harness/record/run_writer.h"

/** What an option of a command measures instead of what the command is for. */

struct instead_request {
    const void *given; /* what is asked for, to add() and head() */
    unsigned samples;
    bool json;
    const struct run_request *run;
    const struct table_view *view;
};

struct instead {
    const char *option;           /* "--latency" */
    const char *shows;            /* as in struct watched */
    const struct cell_kind *kind; /* cells of others are measured beside it and not shown */
    const struct table *table;
    const char *legend; /* below the table */
    int (*add)(const void *given, const struct session *session, struct cells *cells);

    /** What is said before the table; or NULL: nothing. */
    void (*head)(const void *given);

    /** Why it cannot be measured here, one line and the remedy. @return whether it cannot; or NULL: it always can */
    bool (*lacks)(const struct session *session, char *why, size_t size);
};

/** Measure and print. @return exit code */
int instead_measure(const char *command, const struct instead *instead, const struct instead_request *request,
                    struct session *session, struct cells *cells);
