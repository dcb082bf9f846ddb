/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "platforms/counters/quantity.h"

/**
 * The contract of a back end, a way to count: what it is asked, and what it answers about this machine.
 *
 * Errors: 0 or a negative errno, with one line in why (always terminated). Nothing here prints or exits.
 */

struct counters_system;

/** What a back end can do for one quantity here. */
struct counters_support {
    enum counter_grade grade;
    bool system_call;              /* reading it enters the kernel: too dear around a short sample */
    struct counters_reason reason; /* unavailable: the exact cause and remedy */
};

/** Room for their probes, so that who keeps them need not be made anew where another back end comes. */
enum { COUNTERS_BACKENDS_MOST = 16 };

struct counters_backend;

/** What a back end can do here. */
struct counters_probe {
    const struct counters_backend *backend;
    bool works;                    /* at least one quantity */
    struct counters_reason reason; /* why it does not work; if it does, "" or "rdpmc is disabled, read() is used" */
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
    int priority;        /* auto takes the highest of those that count equally well */
    bool programs_cores; /* takes the counters of cores from every other user: never chosen for samples by auto */

    /** Find out what works on this CPU. Changes nothing. Call before any thread exists. */
    void (*probe)(const struct counters_system *system, unsigned cpu, struct counters_probe *probe);

    /** Open on the calling, pinned thread. 0 if at least one quantity counts; the system table must outlive the
     * session. NULL, as all that follow, in a build that lacks the back end's library. */
    int (*open)(const struct counters_system *system, const struct counters_request *request,
                struct counters_session **session, char *why, size_t size);

    void (*begin)(struct counters_session *session);
    void (*end)(struct counters_session *session);

    /** Fill the quantities that were asked for; the others are left alone. */
    void (*result)(struct counters_session *session, struct counters_sample *sample);
    void (*close)(struct counters_session *session);
};

/** Fill a probe: no quantity, the given back end. */
void probe_clear(struct counters_probe *probe, const struct counters_backend *backend);

/** Same cause and remedy for the back end and each quantity of the set. */
void probe_fail(struct counters_probe *probe, const struct counters_reason *reason, counter_set quantities);

/** This build lacks the header of the library that the back end needs; package: what Debian has it in. */
void probe_without_header(struct counters_probe *probe, const char *header, const char *package);

/** Set works from the quantities; when none works and no cause is given yet, take the first quantity's. */
void probe_conclude(struct counters_probe *probe);

/**
 * Wait until everything before has executed and let nothing after begin: rdtsc, rdpmc and mrs are not ordered by
 * themselves. lfence is dispatch-serializing on Intel, and on AMD since the kernel sets DE_CFG[1]; about 10 ns.
 */
static inline void counters_fence(void)
{
#if defined(__x86_64__)
    __asm__ volatile("lfence" ::: "memory");
#else
    __asm__ volatile("isb" ::: "memory");
#endif
}
