/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

/**
 * A piece of work in a process of its own that is watched while it measures: a fork, which has all that this process knows, on the same
 * pages of memory, and may do as it likes. This process sleeps meanwhile: it wakes when there is something to read and when the time is
 * over, and just to look once a second at most.
 *
 * Unlike child_run (platforms/process/child.h) the caller may have threads, as long as they hold no locks; the worker has none of them.
 * The time limit is that between two beats and not that of the whole, without the time that it could not use (starved.h); what it sends
 * back may be of any length.
 */
enum worker_outcome {
    WORKER_RETURNED, /* the report is complete */
    WORKER_EXITED,   /* it called exit(); detail is the status */
    WORKER_CRASHED,  /* detail is the signal */
    WORKER_WROTE,    /* it wrote into descriptors that are not its own: what came back is not to be trusted */
    WORKER_HUNG,     /* killed, since it did not beat for the time limit */
    WORKER_STOPPED,  /* killed, since it went on for long after *stop was set */
    WORKER_FAILED,   /* it could not be started; detail is the errno */
    WORKER_LOST,     /* its report could not be kept, sent or received; detail is the errno */
};

enum { WORKER_PRINTED = 4096 };

/** In the worker: what it is reached by. */
struct worker;

struct worker_job {
    void (*body)(void *context, struct worker *worker);
    void *context;
    unsigned limit_ms;
    const volatile int *stop; /* set by a signal handler; NULL: never */
};

struct worker_result {
    enum worker_outcome outcome;
    int detail;
    uint8_t *report; /* of WORKER_RETURNED; free() */
    size_t report_bytes;
    char printed[WORKER_PRINTED]; /* standard output and standard error, the first bytes */
};

/** Run it, kill what it leaves behind, and take its report. */
void worker_run(const struct worker_job *job, struct worker_result *result);

/** In the worker: still alive. Where it writes that to, NULL in no worker, does not change during the work. */
struct worker_beat *worker_heart(struct worker *worker);
void worker_beat(struct worker_beat *heart);

/** In the worker: add to the report. */
void worker_send(struct worker *worker, const void *bytes, size_t count);
