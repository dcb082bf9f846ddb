/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_CONSOLE_WATCHED_H
#define HARNESS_CMD_CONSOLE_WATCHED_H

#include "harness/cells/cell/execution.h"
#include "harness/cmd/console/console.h"
#include "harness/record/run_writer.h"

/** An execution whose visits are written to a run and whose progress is shown. */
struct watched {
    struct run_writer *writer; /* NULL: none */
    struct progress_part part;
};

/** @param watched  kept by the caller until watched_end(), which takes the bar away */
struct execution watched_begin(struct watched *watched, const char *command, struct run_writer *writer);
void watched_end(struct watched *watched);

#endif
