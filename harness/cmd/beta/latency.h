/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_BETA_LATENCY_H
#define HARNESS_CMD_BETA_LATENCY_H

#include "harness/cells/cell/cell.h"
#include "harness/cmd/console/table.h"
#include "harness/record/run_writer.h"

struct latency_request {
    const char *level; /* alone; NULL: every level, and the loaded curve of memory */
    const unsigned *sizes;
    size_t teams; /* those of two members and more have a loaded curve */
    unsigned samples;
    bool json;
    const struct run_request *run;
    const struct table_view *view;
};

extern const struct table latency_table;

/** `beta --latency`: measure and print. @return exit code */
int beta_command_latency(const char *command, const struct latency_request *request, struct session *session,
                         struct cells *cells);

#endif
