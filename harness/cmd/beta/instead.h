/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_BETA_INSTEAD_H
#define HARNESS_CMD_BETA_INSTEAD_H

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/device_roof/device_roof.h"
#include "harness/cmd/console/table.h"
#include "harness/measure/session.h"
#include "harness/record/run_writer.h"

/** What an option of `beta` measures of the levels instead of their read roofs. */

struct instead_request {
    const char *level;           /* alone; NULL: every level */
    const struct device *device; /* NULL: none is measured */
    const unsigned *sizes;
    size_t teams;
    unsigned samples;
    bool json;
    const struct run_request *run;
    const struct table_view *view;
};

struct instead {
    const char *option; /* "--latency" */
    const char *shows;  /* as in struct watched */
    const struct cell_kind *kind;
    const struct table *table;
    const char *legend; /* below the table */
    int (*add)(const struct instead_request *request, const struct session *session, struct cells *cells);

    /** What is said before the table; or NULL: nothing. */
    void (*head)(const struct instead_request *request);

    /** Why it cannot be measured here, one line and the remedy. @return whether it cannot; or NULL: it always can */
    bool (*lacks)(const struct session *session, char *why, size_t size);
};

extern const struct table latency_table, tiles_table, device_table;
extern const struct instead beta_latency, beta_tiles, beta_device;

/** Measure and print. @return exit code */
int beta_command_instead(const char *command, const struct instead *instead, const struct instead_request *request,
                         struct session *session, struct cells *cells);

/** Whether no stream, of lines or of tiles, runs on this CPU, and in one line why. */
bool streams_missing(const struct session *session, bool tiles, char *why, size_t size);

#endif
