/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_RECORD_SAVING_H
#define HARNESS_RECORD_SAVING_H

#include <stdbool.h>

#include "harness/plan/plan.h"
#include "harness/measure/session.h"
#include "results/run.h"

/**
 * The run that a measuring command writes: a new one below a folder of results, or one of this CPU that exists. Samples
 * go there as they are taken, summaries at the end.
 *
 * Errors: 0 or negative errno with one line in why.
 */

/**
 * Create <results>/<platform>/<run> with its meta.json, as characterize and gemv name them.
 * @param node  what this machine is called in a fleet; NULL: nothing
 */
int saving_create(const char *results, const char *node, const struct session *session, int argc, char **argv,
                  struct run **run, char *why, size_t size);

/**
 * Open an existing run to go on with it; -EXDEV if it is of another CPU or of other code.
 * @param plan   cells that get the samples that the run has; NULL: none, they begin anew
 * @param block  number of this process within the run
 */
int saving_continue(const char *path, const struct session *session, struct plan *plan, struct run **run,
                    unsigned *block, char *why, size_t size);

/** What a command that saves at will is told. Neither: nothing is saved. */
struct saving_request {
    const char *results; /* --results: a new run below this folder */
    const char *into;    /* --into: an existing run */
    int argc;
    char **argv;
};

struct saving {
    struct run *run; /* NULL: nothing is saved */
    const char *command;
    unsigned block;
    bool created;
    int error; /* first failure to write a record */
    double started_s;
};

/** Open the run and say what the machine is, if it is new. saving is zeroed, and needs saving_close after success. */
int saving_open(const struct saving_request *request, const char *command, struct session *session,
                struct saving *saving, char *why, size_t size);

/** How to carry out a plan so that each sample is saved as it comes. saving must outlive it. */
struct execution saving_execution(struct saving *saving);

/** Append the summaries of all cells, where the memory lay and, to a new run, how it ended. */
int saving_finish(struct saving *saving, const struct session *session, struct cells *cells, char *why, size_t size);

void saving_close(struct saving *saving);

#endif
