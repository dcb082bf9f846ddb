/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_SAMPLER_H
#define HARNESS_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/team.h"

/**
 * Takes samples of a piece of work on a team: all members enter together, wall time is the last end minus the first
 * start, the core clock is read on every core just before and just after, and the operating system's absence is checked.
 *
 * A sample is rejected for a cause, never for its time.
 */
enum sample_cause {
    SAMPLE_KEPT,
    SAMPLE_INTERRUPT,       /* a member was interrupted inside the timed region */
    SAMPLE_CONTEXT_SWITCH,  /* a member was switched out around it */
    SAMPLE_PAGE_FAULT,
    SAMPLE_CLOCK_DRIFT,     /* the core clock moved by more than 1% across the sample */
    SAMPLE_CAUSES
};
const char *sample_cause_name(enum sample_cause cause);  /* "kept", "interrupt", … */

struct sample {
    double wall_s;        /* last end - first start */
    double core_hz;       /* mean over the members */
    bool clock_agrees;    /* both chains agreed within 1% on every member: cycles carry grade "chain", else "wall" */
    bool interrupted;     /* set also when interrupts are tolerated */
    enum sample_cause cause;
    unsigned stream;      /* of a roof sample: session_stream_id; else 0 */
};

/**
 * Interrupts cannot be kept out of a region longer than a timer tick. A sample that lasts longer than this is kept
 * although interrupted, and the record counts it.
 */
#define SAMPLER_INTERRUPT_LIMIT_S 1.5e-3

/** What disturbed any member around a sample. */
struct sampler_disturbance {
    bool interrupted, switched, faulted, drifted;
};

/** Why a sample of that length is rejected; SAMPLE_KEPT if it is not. */
enum sample_cause sampler_cause(struct sampler_disturbance seen, double wall_s);

struct sampler_work {
    void *context;
    /** Untimed, in every member, before it; may be NULL. May use team_barrier. */
    void (*before)(void *context, unsigned member, unsigned sample);
    /** The timed region, in every member. No system calls. */
    void (*run)(void *context, unsigned member, unsigned sample);
};

/**
 * Take count samples. @return 0, -ENOMEM
 */
int sampler_take(struct team *team, double tsc_hz, const struct sampler_work *work, struct sample *samples,
                 unsigned count);

#endif
