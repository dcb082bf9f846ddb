/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/measure/instruments.h"
#include "harness/team/team.h"
#include "platforms/counters/os_entries.h"

/**
 * Takes samples of a piece of work on a team: all members enter together, wall time is the last end minus the first
 * start, the core clock is read on every core just before and just after, and the operating system's absence is
 * checked.
 *
 * Around the timed region of every member, from the outside in: kernel entries (a system call, only where a proof was
 * asked for), counters (rdpmc), the interrupt check, the time-stamp counter. No system call lies between the two
 * readings of a clock. What is counted of the whole machine (memory traffic, energy) takes system calls: the first
 * member reads it before the first clock reading of all members and after the last, while the others wait.
 *
 * A sample is rejected for a cause, never for its time.
 */
enum sample_cause {
    SAMPLE_KEPT,
    SAMPLE_INTERRUPT,      /* a member was interrupted inside the timed region */
    SAMPLE_CONTEXT_SWITCH, /* a member was switched out around it */
    SAMPLE_PAGE_FAULT,
    SAMPLE_CLOCK_DRIFT, /* the core clock moved by more than 1% across the sample */
    SAMPLE_SIBLING,     /* another thread ran on the sibling hardware thread of a member's core */
    SAMPLE_MOVED,       /* a member ran on another CPU than its own, as the kernel has it when that goes offline */
    SAMPLE_CAUSES
};
const char *sample_cause_name(enum sample_cause cause); /* "kept", "interrupt", … */

/** Where the core cycles of a sample come from. */
enum sample_grade {
    SAMPLE_WALL,  /* on some member the two clock chains disagree, or the clock moved: only its time counts */
    SAMPLE_CHAIN, /* the chain clock, both chains within 1% on every member, before and after */
    SAMPLE_PMU,   /* core cycles counted by hardware inside the sample on every member */
    SAMPLE_GRADES
};
const char *sample_grade_name(enum sample_grade grade); /* "wall", "chain", "pmu" */

struct sample {
    double wall_s;           /* last end - first start */
    double core_hz;          /* mean over the members */
    enum sample_grade grade; /* of the core clock */
    bool interrupted;        /* set also when interrupts are tolerated */
    bool switched;           /* likewise of context switches */
    double off_core_share; /* of its time that the member which was switched out longest was on no core; 0: none was */
    enum sample_cause cause;
    unsigned stream;     /* of a roof sample: session_stream_id; else 0 */
    long turn;           /* number of the visit it was taken in, in the order of visits; those restored are below 0 */
    counter_set counted; /* what every member counted, and what was counted of the machine */
    double count[COUNTER_QUANTITIES]; /* of those: sums over the members, user mode; the machine's, all of it */
    bool proven;                      /* every member counted the entries into the kernel */
    struct os_entry_counts entered;   /* sums over the members; -1: this kernel cannot tell */
};

/**
 * Interrupts cannot be kept out of a region longer than a timer tick. A sample that lasts longer than this is kept
 * although interrupted, and the record counts it.
 */
#define SAMPLER_INTERRUPT_LIMIT_S 1.5e-3

/**
 * Nor can context switches to threads of the kernel, some a second on each CPU, from one much longer: a pass through a
 * model takes tens of milliseconds. A sample of this length is kept although a member was switched out, if each was on its
 * core for all but this share of it, which is as much as the clock may drift by.
 */
#define SAMPLER_SWITCH_LIMIT_S 10e-3
#define SAMPLER_OFF_SHARE      0.01

/** Energy counters move about once a millisecond: the energy of a shorter sample would be more than 5% off. */
#define SAMPLER_ENERGY_LEAST_S 20e-3

/** What disturbed any member around a sample. */
struct sampler_disturbance {
    bool interrupted, switched, faulted, drifted, shared, moved;
    double off_s; /* that the member of them which was switched out longest was on no core */
};

struct sampler_work {
    void *context;
    unsigned first_member; /* of the widest team, that the first one here is: the issue width is known by it */
    const char *region;    /* name of the likwid marker region around all samples; NULL: none */
    /** Untimed, in every member, before it; may be NULL. May use team_barrier. */
    void (*before)(void *context, unsigned member, unsigned sample);
    /** The timed region, in every member. No system calls. */
    void (*run)(void *context, unsigned member, unsigned sample);
    /** The work waits in the kernel, and that is what is timed: neither switches nor interrupts are a cause. */
    bool sleeps;
    /**
     * The work moves the core clock itself, as products on a matrix unit do, and its time is what is reported: a clock that moved is no
     * cause, and where it was not counted the sample's grade is wall.
     */
    bool moves_clock;
};

/** Why a sample of that length is rejected; SAMPLE_KEPT if it is not. Pure. */
enum sample_cause sampler_cause(struct sampler_disturbance seen, const struct sampler_work *work, double wall_s);

/**
 * Take count samples. The issue width of each member is learnt by the way.
 * @return 0, -ENOMEM
 */
int sampler_take(struct team *team, struct instruments *instruments, const struct sampler_work *work,
                 struct sample *samples, unsigned count);

/**
 * What samples were rejected for so far, those of all cells, the most frequent cause first, in words: "of 40 samples 30 shared a
 * core with others, 2 were interrupted". "no sample was taken" and "all 40 samples were kept" are such texts, too.
 */
void sampler_rejections(const struct instruments *instruments, char *text, size_t size);

/** The same of this many samples of each cause. Pure. */
void sampler_say_causes(const unsigned long judged[SAMPLE_CAUSES], char *text, size_t size);

/** Seconds that all clocks and counters around the timed region of one member take: the least of a thousand. */
double sampler_bracket_s(struct team *team, struct instruments *instruments);
