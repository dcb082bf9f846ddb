/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "harness/measure/session.h"
#include "harness/record/end_record.h"
#include "harness/record/recorder.h"
#include "results/records/run.h"

/**
 * The one writer of what is measured: into a new run, a run of this CPU that exists, or a stream. Its records, in this
 * order: the machine, cells and samples as they are taken, summaries, where the memory lay, how it ended.
 *
 * A record that cannot be written does not end the measuring: the first failure is remembered and reported at the end.
 *
 * Errors: 0 or negative errno with one line in why.
 */
struct run_writer {
    struct recorder recorder; /* without an append: nothing is written */
    struct run *run;          /* NULL: a stream, or nothing */
    bool created;             /* the run is new */
    bool completed;           /* the run that was continued had come to its end */
    struct run_records had;   /* by a run that exists, of cells that are not known yet when it is opened */
    int error;                /* first failure to write a record */
};

/** Where to write. Neither results nor into: nothing is written, and the calls below do nothing. */
struct run_request {
    const char *results; /* a new run below this folder */
    const char *into;    /* an existing run */
    const char *node;    /* what this machine is called in a fleet, for a new run; NULL: nothing */
    int argc;
    char **argv;
};

/**
 * Create <results>/runs/<platform>/<run> with its meta.json, or open `into`, and zero the writer, which needs
 * run_writer_close after success.
 * @param restored  cells that get the samples that an existing run has; NULL: they are added later (run_writer_added)
 * @return -EXDEV: the existing run is of another CPU or of other code
 */
int run_writer_open(struct run_writer *writer, const struct run_request *request, const struct session *session,
                    struct cells *restored, char *why, size_t size);

/** Records go to a stream, which has no path, no machine and no end, and is not closed. */
void run_writer_to_stream(struct run_writer *writer, FILE *stream, unsigned block, const struct session *session);

/** Say what the machine is: one record of type "machine", one "counters" a back end, one "clock" a kind of core. */
int run_writer_machine(struct run_writer *writer, struct session *session, char *why, size_t size);

/** Write a record of what is to come; takes its reference, NULL: there was no memory for it. */
int run_writer_record(struct run_writer *writer, json_t *record, char *why, size_t size);

/** Write a cell's samples from `first` on, roof samples from `roof_first`: the `visited` of an execution. */
void run_writer_visited(void *writer, const struct cell *cell, size_t first, size_t roof_first);

/** Give the cells [first, end) the samples that the run had when it was opened: the `added` of an execution. */
int run_writer_added(void *writer, struct cells *cells, size_t first, size_t end);

/**
 * Write the summaries of all cells, where the memory lay and how it ended.
 * @param end  NULL: no record of the end, as in a run that was only added to
 * @return the first failure of all
 */
int run_writer_finish(struct run_writer *writer, const struct session *session, struct cells *cells,
                      const struct run_end *end, char *why, size_t size);

/** Path of the run; NULL if no run is written. */
const char *run_writer_path(const struct run_writer *writer);

void run_writer_close(struct run_writer *writer);

/** What a run says of the machine from looking at it while measuring: clocks, and where the cold pool lies. */

/**
 * Record of type "clock" of the core that the calling thread is bound to: what the chains say, the latency that it rests
 * on and, where the chains disagree, why, with the latency at which they would not. New reference.
 */
json_t *clock_record(const struct topology_core *core, double tsc_hz);

/**
 * One record of type "clock" for the first CPU of each kind of core in the team, taken on that CPU.
 * @param append  takes the record (NULL: no memory) and its reference
 * @return 0, or what append returned first that was not 0
 */
int clock_records(struct session *session, int (*append)(void *context, json_t *record), void *context);

/** Record of type "memory" for a member's block of the cold pool. New reference. */
json_t *memory_record(const struct session *session, unsigned member);
