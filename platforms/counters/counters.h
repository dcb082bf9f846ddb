/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORMS_COUNTERS_COUNTERS_H
#define PLATFORMS_COUNTERS_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Hardware counters behind one interface.
 *
 *     counters_probe_all(&system, cpu, probes);                  once, before any thread exists
 *     counters_choose("auto", true, probes, COUNTERS_BACKENDS, &plan, why, sizeof why);   pure
 *     counters_open(&plan, &system, &request, &counters, …);     on the pinned thread
 *       counters_calibrate(counters);                            outside the timed region, microseconds
 *       counters_begin(counters);  …  counters_end(counters);    < 200 ns together with rdpmc or tsc
 *       counters_calibrate(counters);
 *       counters_result(counters, &sample);                      arithmetic and verdicts
 *     counters_close(counters);
 *
 * A quantity is measured, estimated or unavailable with the reason. An absent one is NaN, never 0.
 *
 * Errors: 0 or a negative errno, with one line in why (always terminated). Nothing here prints or exits.
 */

struct counters_system;

enum counter_quantity {
    COUNTER_CORE_CYCLES,      /* cycles of the core's own clock, user mode, this thread */
    COUNTER_REFERENCE_CYCLES, /* cycles of the constant reference clock, user mode, this thread */
    COUNTER_INSTRUCTIONS,     /* retired, user mode, this thread */
    COUNTER_LLC_MISSES,       /* demand misses of the last-level cache, user mode, this thread */
    COUNTER_DRAM_READ_BYTES,  /* all memory controllers, the whole machine */
    COUNTER_DRAM_WRITE_BYTES,
    COUNTER_PACKAGE_ENERGY_J, /* all packages, joules */
    COUNTER_QUANTITIES,
};

/** Set of quantities, bit q for quantity q. */
typedef unsigned counter_set;

#define COUNTER_SET(quantity) (1u << (quantity))

static const counter_set COUNTER_SET_ALL = (1u << COUNTER_QUANTITIES) - 1;
/** What belongs to one thread: opened, begun and ended on it. */
static const counter_set COUNTER_SET_THREAD = COUNTER_SET(COUNTER_CORE_CYCLES) | COUNTER_SET(COUNTER_REFERENCE_CYCLES) |
                                              COUNTER_SET(COUNTER_INSTRUCTIONS) | COUNTER_SET(COUNTER_LLC_MISSES);
/** What belongs to the machine: opened once a process, begun and ended by any thread, one at a time. */
static const counter_set COUNTER_SET_MACHINE = COUNTER_SET(COUNTER_DRAM_READ_BYTES) |
                                               COUNTER_SET(COUNTER_DRAM_WRITE_BYTES) |
                                               COUNTER_SET(COUNTER_PACKAGE_ENERGY_J);

enum counter_grade {
    COUNTER_UNAVAILABLE,
    COUNTER_ESTIMATED,
    COUNTER_MEASURED,
};

enum { COUNTERS_TEXT = 240, COUNTERS_BACKENDS = 4 };

/** One quantity of one sample. */
struct counter_value {
    enum counter_grade grade;
    double value;               /* NaN when unavailable */
    char reason[COUNTERS_TEXT]; /* unavailable: why; estimated: from what; measured: "" */
};

/** Always the same size, copyable, owns nothing. */
struct counters_sample {
    struct counter_value of[COUNTER_QUANTITIES];
};

/** Why something does not work and what would change it, one line each; "" where there is nothing to say. */
struct counters_reason {
    char cause[COUNTERS_TEXT];
    char remedy[COUNTERS_TEXT];
};

/** What a back end can do for one quantity here. */
struct counters_support {
    enum counter_grade grade;
    bool system_call;              /* reading it enters the kernel: too dear around a short sample */
    struct counters_reason reason; /* unavailable: the exact cause and remedy */
};

struct counters_backend;

/** What a back end can do here. */
struct counters_probe {
    const struct counters_backend *backend;
    bool works; /* at least one quantity */
    struct counters_reason
        reason; /* does not work: why. Works: "" or a remark, e.g. "rdpmc is disabled, read() is used" */
    struct counters_support of[COUNTER_QUANTITIES];
};

/** What one thread wants counted. */
struct counters_request {
    unsigned cpu; /* the CPU that the thread is pinned to */
    counter_set quantities;
    bool system_calls; /* false: a quantity whose reading enters the kernel is left out and says so */
};

/** A back end's state on one thread. Private to the back end. */
struct counters_session;

/** A back end: a constant descriptor at the end of its own file. */
struct counters_backend {
    const char *name;    /* "perf" */
    const char *summary; /* one line */
    bool programs_cores; /* it programs the counters of cores itself: what another back end counts there would be wrong */

    /** Find out what works on this CPU. Changes nothing. Call before any thread exists. */
    void (*probe)(const struct counters_system *system, unsigned cpu, struct counters_probe *probe);

    /** Open on the calling, pinned thread. 0 if at least one quantity counts; the system table must outlive the
     * session. */
    int (*open)(const struct counters_system *system, const struct counters_request *request,
                struct counters_session **session, char *why, size_t size);

    void (*calibrate)(struct counters_session *session); /* NULL: nothing to do */
    void (*begin)(struct counters_session *session);
    void (*end)(struct counters_session *session);

    /** Fill the quantities that were asked for; the others are left alone. */
    void (*result)(struct counters_session *session, struct counters_sample *sample);
    void (*close)(struct counters_session *session);
};

/** All back ends in the order in which auto prefers them; COUNTERS_BACKENDS of them. */
extern const struct counters_backend *const counters_backends[COUNTERS_BACKENDS];

/** Which back end counts what. */
struct counters_plan {
    struct {
        const struct counters_backend *backend; /* NULL: none can */
        enum counter_grade grade;
        char reason[COUNTERS_TEXT]; /* why none can, cause and remedy */
    } of[COUNTER_QUANTITIES];
};

/** Counters of one thread, over the back ends of a plan. */
struct counters;

/** Probe every back end for one CPU. Call before any thread exists: some are tried in a child process. */
void counters_probe_all(const struct counters_system *system, unsigned cpu,
                        struct counters_probe probes[COUNTERS_BACKENDS]);

/**
 * Decide which back end counts which quantity. Pure.
 *
 * "auto" takes, per quantity, the best grade and among equals the first back end in order. A back end asked for by name
 * counts alone; it is never replaced.
 *
 * @param name          "auto" or the name of a back end
 * @param system_calls  false: what can only be read with a system call is not eligible (as in counters_request)
 * @return      0, -EINVAL for an unknown name, -ENOTSUP for a back end that does not work; why names cause and remedy
 */
int counters_choose(const char *name, bool system_calls, const struct counters_probe *probes, size_t count,
                    struct counters_plan *plan, char *why, size_t size);

/** Open on the calling thread, pinned to request->cpu. A quantity that fails to open is unavailable with its reason in
 * every sample. */
int counters_open(const struct counters_plan *plan, const struct counters_system *system,
                  const struct counters_request *request, struct counters **counters, char *why, size_t size);

/** Run what may not run in the timed region (the chain clock of tsc), before begin and after end. */
void counters_calibrate(struct counters *counters);

/** Read the counters: core cycles are read last in begin and first in end. No allocation; no system call if the request
 * says so. */
void counters_begin(struct counters *counters);
void counters_end(struct counters *counters);

/** Differences between the last begin and end, with their grades. */
void counters_result(struct counters *counters, struct counters_sample *sample);
void counters_close(struct counters *counters);

/**
 * Relative difference (b − a) / a of one quantity counted by two back ends around the same code.
 * @return NaN if either lacks it or a is 0
 */
double counters_difference(const struct counters_sample *a, const struct counters_sample *b,
                           enum counter_quantity quantity);

const char *counter_quantity_name(enum counter_quantity quantity); /* "core_cycles" */
const char *counter_quantity_unit(enum counter_quantity quantity); /* "cycles", "", "B", "J" */
const char *counter_grade_name(enum counter_grade grade);          /* "measured" */

#endif
