/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/measure/instruments.h"
#include "harness/measure/session_pool_filling.h"
#include "harness/measure/session_stream.h"
#include "harness/plugin/plugins.h"
#include "harness/team/team.h"
#include "micro/kernel.h"
#include "micro/sequence.h"
#include "micro/stream.h"
#include "platforms/machine/machine.h"
#include "platforms/memory/memory.h"

/**
 * All that measuring needs of the machine: what it is, which CPUs to use, a team per size. Its cold pool, the levels of
 * the memory and the read streams that are their roofs have headers of their own: session_pool.h, session_level.h and
 * session_stream.h.
 *
 * Errors: 0 or negative errno with one line in why.
 */
enum { SESSION_CPUS_MAX = INSTRUMENTS_MEMBERS_MAX, SESSION_WHY = 512 };

/** How the search for what is cold ended (harness/cells/pool/pool.h). */
enum session_search {
    SESSION_SEARCH_NONE,    /* no search was made */
    SESSION_SEARCH_SETTLED, /* larger pools are read no more slowly */
    SESSION_SEARCH_FALLS,   /* the largest of all is still read more slowly than less, or nothing could be read */
    SESSION_SEARCH_TIME,    /* the next size would have taken too long */
    SESSION_SEARCH_MEMORY   /* the next size is more than pools may take */
};

/** Which GEMVs find out, before their first sample, which prefetch distance suits this machine. */
enum session_tunes {
    SESSION_TUNES_NONE,    /* none: the kernels' own */
    SESSION_TUNES_KERNELS, /* of a kernel and a team the cold one of the reference shape, for all others of both */
    SESSION_TUNES_CELLS    /* each, for itself */
};

/** What the user asked for. */
struct session_request {
    struct team_request team; /* threads 0: every core */
    uint64_t seed;            /* order of the cells and random data; 0: from the clock */
    struct instruments_request instruments;
    struct plugins_request plugins;
};

struct session {
    struct machine machine;
    struct plugins plugins; /* their kernels, formats and sequences are in the registry while the session is open */
    void (*tell_faults)(
        struct session *session); /* of plug-ins, as soon as a trial has found one; NULL: whenever the command will */
    struct instruments instruments;
    double issue_width;  /* uops a cycle the front end of the first core issues */
    uint64_t llc_bytes;  /* sum of the last-level caches the widest team reaches, as the machine states them */
    uint64_t cold_bytes; /* that a pool must have to be cold, as was measured; 0: not known */
    struct {
        enum session_search end;
        double seconds;
        uint64_t next_bytes; /* of all members: the first size that was left out, for time or memory */
    } search;
    double others_cpus;      /* CPUs that others used while the session was opened; NAN: not known */
    uint64_t level_bytes[4]; /* data cache of one core by level, [1] L1 …; 0 unknown */
    unsigned cpus[SESSION_CPUS_MAX];
    unsigned threads; /* of the widest team */
    struct {
        unsigned asked;            /* threads of the widest team before session_narrow; 0: it was not narrowed */
        double undisturbed_asked;  /* share of the instants looked at in which no core of that team was shared */
        double undisturbed_chosen; /* the same of the narrower team */
    } narrowed;
    uint64_t random; /* state of session_random */
    long turn;       /* visits of cells so far */
    enum session_tunes tunes;
    struct session_distance {
        const struct kernel *kernel;
        unsigned threads;
        size_t bytes;
    } * distances; /* that were found so */
    size_t distance_count;
    const struct device *device; /* an OpenCL device that a characterization measures as well; NULL: none */

    struct team *team; /* the one that runs now, team_threads() wide; NULL at first */

    /* cold pool: one block a member, first touched by it */
    struct memory_block *pool; /* [threads] */
    size_t *pool_at;           /* [threads] rotating position: the next cold read begins here */
    struct session_pool_drawn pool_drawn;
    struct session_pool_held *pool_held; /* [threads] */

    struct session_roof roof[SESSION_CPUS_MAX + 1];          /* of memory, by team size */
    struct session_roof cache_roof[4][SESSION_CPUS_MAX + 1]; /* of [1] L1 …, by team size */
};

/**
 * Read the machine, choose the CPUs of the widest team, load the plug-ins and choose the counters. No team yet;
 * calibrating the time-stamp counter takes 50 ms.
 * @param session  receives the session, to be closed with session_close; untouched on failure
 * @return 0; -ENOMEM; errors of machine_open, topology_plan_team, plugins_add and instruments_open; with one line in why
 */
int session_open(const struct session_request *request, struct session **session, char *why, size_t size);
/** Dissolve the team and release everything; NULL is fine. */
void session_close(struct session *session);

/**
 * Let these CPUs, some of the widest team's, be the widest team from now on, since the cores of all are shared with
 * threads that this system does not show. Before any team is made; cpus may be in any order.
 * @param undisturbed_asked, undisturbed_chosen  for session->narrowed
 */
void session_narrow(struct session *session, const unsigned *cpus, unsigned threads, double undisturbed_asked,
                    double undisturbed_chosen);

/** Add plug-ins to an open session that has no team yet. */
int session_add_plugins(struct session *session, const struct plugins_request *request, char *why, size_t size);

/** Whether code of this ISA row runs here. */
bool session_runs(const struct session *session, const char *isa);

/** A team of this size, made on demand; the former one is dissolved. NULL with a reason. */
struct team *session_team(struct session *session, unsigned threads, char *why, size_t size);

/** The same with another first member: member `first` of the widest team and those after it. */
struct team *session_team_from(struct session *session, unsigned first, unsigned threads, char *why, size_t size);

/** Dissolve the team that runs now, so that this process may run, and start others, on every CPU again. */
void session_dissolve_team(struct session *session);

/** The kind of core that a member of the widest team sits on. */
enum core_kind session_kind(const struct session *session, unsigned member);

/** Whether a member of the widest team is the first on its kind of core. */
bool session_leads_kind(const struct session *session, unsigned member);

/** What was found of a kernel with a team of this size; NULL: nothing yet. */
const struct session_distance *session_distance_of(const struct session *session, const struct kernel *kernel,
                                                   unsigned threads);

/** Found; where it is known already, nothing changes. 0 or -ENOMEM */
int session_keep_distance(struct session *session, const struct kernel *kernel, unsigned threads, size_t bytes);

/** Next random number, of all that a command draws: xorshift64*. */
uint64_t session_random(struct session *session);
