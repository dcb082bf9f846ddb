/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "platforms/counters/chain_clock.h"
#include "platforms/counters/counters.h"
#include "platforms/counters/likwid_marker.h"
#include "platforms/counters/system.h"
#include "platforms/process/worker.h"

/**
 * What samples are measured with: the time-stamp counter, the counter back ends as they were probed, which quantities
 * are counted inside a sample, and the issue width of each member's core when it is not disturbed.
 *
 * Errors: 0 or negative errno with one line in why.
 */
enum { INSTRUMENTS_MEMBERS_MAX = 1024, INSTRUMENTS_IDLE_READINGS = 6, INSTRUMENTS_CAUSES_MAX = 8 };

struct instruments {
    double tsc_hz;
    struct counters_chain chain;   /* its clock is calibrated on the core that called instruments_clocks */
    struct counters_system system; /* this machine, with the chain clock */
    struct counters_probe probes[COUNTERS_BACKENDS_MOST];
    struct counters_plan plan;    /* of a thread's quantities those read without a system call; of the machine's all */
    counter_set in_sample;        /* counted in user mode inside every sample; 0: the chain clock is all there is */
    counter_set around_sample;    /* of the machine, counted around every sample, outside of its clocks */
    struct counters *machine;     /* open for them; NULL: none */
    struct likwid_marker *marker; /* under likwid-perfctr -m every visit of a cell is a region; else NULL */
    double idle_w[INSTRUMENTS_IDLE_READINGS]; /* of all packages; where energy is counted, once it was measured */
    unsigned idle_readings;
    struct worker_beat *heart; /* of a worker, which beats before each sample (platforms/process/worker.h); else NULL */
    bool prove;                /* kernel entries are counted around every sample (platforms/counters/os_entries.h) */
    struct clock clock_of[INSTRUMENTS_MEMBERS_MAX];          /* by member, calibrated on its core; tsc_hz 0: not yet */
    unsigned reconciling_cycles_of[INSTRUMENTS_MEMBERS_MAX]; /* latency at which its latest chains that disagreed would
                                                                 agree; 0: they disagree by no whole ratio, or agree */
    double issue_width_of[INSTRUMENTS_MEMBERS_MAX];          /* by member, undisturbed; 0: not known yet */
    unsigned long judged[INSTRUMENTS_CAUSES_MAX]; /* samples so far by enum sample_cause, those of every cell */
};

/** What to measure with. */
struct instruments_request {
    const char *counters; /* "auto" or the name of a back end; NULL: auto */
    bool prove;
};

/** Only the clocks: no counter is probed. For tests and for the first look at a machine. */
void instruments_clocks(struct instruments *instruments, double tsc_hz);

/**
 * Probe and choose. Call before any thread exists. The instruments must not move afterwards.
 *
 * A back end that was asked for by name and cannot count core cycles in user mode is an error; it is never replaced.
 * @param cpu  the CPU of the first member
 * @return 0; -EINVAL unknown name; -ENOTSUP the back end, or the proof, does not work here: cause and remedy in why
 */
int instruments_open(const struct instruments_request *request, unsigned cpu, double tsc_hz,
                     struct instruments *instruments, char *why, size_t size);

void instruments_close(struct instruments *instruments);

/**
 * What all packages take while the calling thread sleeps, once: 6 readings of 30 ms. Call while a team sleeps, too. Nothing happens
 * where no energy is counted.
 */
void instruments_measure_idle(struct instruments *instruments);

/** From the probes to the plan and to what is counted in and around a sample: pure part of instruments_open. */
int instruments_choose(const char *name, struct instruments *instruments, char *why, size_t size);

/** Record of type "counters": what a back end can do here and, quantity by quantity, why not. New reference. */
json_t *instruments_probe_record(const struct counters_probe *probe);
