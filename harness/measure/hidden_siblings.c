/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/hidden_siblings.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "harness/team/team.h"

/** Readings of the first glance, at all CPUs, and of each pattern; and how long those sleep that have no part in one. */
enum { GLANCE = 6, READINGS = 12, SLEEP_NS = 300000, PAUSE_NS = 500000 };

/** A host that runs dozens of CPUs in turns on a few of its own takes seconds for one reading. */
static const double MOST_S = 1;

/* ---------------------------------------------------------------- what the patterns say */

/** Whether the work of j, and of no other, halves i's issue slots. */
static bool fits(const struct hidden_siblings_look *look, unsigned i, unsigned j)
{
    unsigned together = 0, apart = 0;
    for (unsigned p = 0; p < look->patterns; p++) {
        const bool *working = &look->working[(size_t)p * look->cpus];
        double shared = look->shared[(size_t)p * look->cpus + i];
        if (!working[i])
            continue;
        if (working[j] ? shared < HIDDEN_SIBLINGS_SHARE : shared > 1 - HIDDEN_SIBLINGS_SHARE)
            return false;
        working[j] ? together++ : apart++;
    }
    return together > 0 && apart > 0;
}

/** The only one that fits; i if none or several do. */
static unsigned only_fitting(const struct hidden_siblings_look *look, unsigned i)
{
    unsigned found = i;
    for (unsigned j = 0; j < look->cpus; j++) {
        if (j == i || !fits(look, i, j))
            continue;
        if (found != i)
            return i;
        found = j;
    }
    return found;
}

void hidden_siblings_decide(const struct hidden_siblings_look *look, unsigned *sibling)
{
    for (unsigned i = 0; i < look->cpus; i++) {
        unsigned other = only_fitting(look, i);
        sibling[i] = only_fitting(look, other) == i ? other : i;
    }
}

/* ---------------------------------------------------------------- looking */

struct looking {
    struct team *team;
    struct clock clock;
    double issue_width;
    unsigned cpus, patterns, readings;
    bool *working;
    double *shared;
    double ends_s;          /* of now_s() */
    unsigned round;         /* readings begun before this look */
    atomic_uint last_round; /* the reading at whose beginning it was too late; UINT_MAX: none so far */
};

static double now_s(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/**
 * All members begin a reading at the same time, or none does: the first of them looks at the time and says in which reading it ends,
 * which those see alike that come from the barrier later.
 */
static bool begin_reading(struct looking *looking, unsigned member, unsigned round)
{
    if (member == 0 && now_s() > looking->ends_s)
        atomic_store(&looking->last_round, round);
    team_barrier(looking->team);
    return atomic_load(&looking->last_round) > round;
}

static void nap(long ns)
{
    nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

static void look_in_patterns(void *context, unsigned member)
{
    struct looking *looking = context;
    struct clock clock = looking->clock; /* a reading may not share its lines with another member's */
    unsigned round = looking->round;
    for (unsigned p = 0; p < looking->patterns; p++) {
        size_t at = (size_t)p * looking->cpus + member;
        unsigned shared = 0;
        for (unsigned r = 0; r < looking->readings; r++, round++) {
            if (!begin_reading(looking, member, round))
                return;
            if (looking->working[at])
                shared += clock_shared(clock_read(&clock).issue_width, looking->issue_width);
            else
                nap(SLEEP_NS);
            nap(PAUSE_NS); /* the readings are of different moments of the host */
        }
        looking->shared[at] = (double)shared / looking->readings;
    }
}

/** For each bit those that have it, those that do not; all. @return the number of patterns */
static unsigned make_patterns(unsigned cpus, bool *working)
{
    unsigned patterns = 0;
    for (unsigned bit = 0; (cpus - 1) >> bit; bit++) {
        for (unsigned has = 0; has < 2; has++, patterns++) {
            for (unsigned i = 0; i < cpus; i++)
                working[(size_t)patterns * cpus + i] = (i >> bit & 1) == has;
        }
    }
    for (unsigned i = 0; i < cpus; i++)
        working[(size_t)patterns * cpus + i] = true;
    return patterns + 1;
}

/** @return whether there was time for all patterns */
static bool look_at_all(struct looking *looking, unsigned readings)
{
    looking->readings = readings;
    team_run(looking->team, look_in_patterns, looking);
    looking->round += looking->patterns * readings;
    return atomic_load(&looking->last_round) == UINT_MAX;
}

/** All at the same time: whether the cores of two or more are shared most of the time. */
static bool glance(struct looking *looking)
{
    unsigned shared = 0;
    looking->patterns = 1;
    for (unsigned i = 0; i < looking->cpus; i++)
        looking->working[i] = true;
    if (!look_at_all(looking, GLANCE))
        return false;
    for (unsigned i = 0; i < looking->cpus; i++)
        shared += looking->shared[i] > 0.5;
    return shared >= 2;
}

static int join(struct topology *topology, const struct looking *looking, const unsigned *cpu)
{
    const struct hidden_siblings_look look = {looking->cpus, looking->patterns, looking->working, looking->shared};
    unsigned *sibling = calloc(looking->cpus, sizeof *sibling);
    int joined = 0;
    if (!sibling)
        return -ENOMEM;
    hidden_siblings_decide(&look, sibling);
    for (unsigned i = 0; i < looking->cpus && joined >= 0; i++) {
        if (sibling[i] <= i)
            continue;
        int error = topology_join_cores(topology, cpu[i], cpu[sibling[i]]);
        joined = error ? error : joined + 1;
    }
    free(sibling);
    return joined;
}

static bool may_be_hidden(const struct topology *topology)
{
    const struct topology_core *cores = topology_cores(topology);
    size_t count = topology_core_count(topology);
    return topology_is_this_machine(topology) && count >= 2 && topology_kind_count(topology) == 1 &&
           topology_allowed_pus(topology) == count && cores;
}

int hidden_siblings_join(struct topology *topology, const struct clock *clock, double issue_width, char *why,
                         size_t size)
{
    return hidden_siblings_join_within(topology, clock, issue_width, &(struct hidden_siblings_time){.most_s = MOST_S},
                                       why, size);
}

int hidden_siblings_join_within(struct topology *topology, const struct clock *clock, double issue_width,
                                struct hidden_siblings_time *time, char *why, size_t size)
{
    enum { PATTERNS_MOST = 2 * 32 + 1 };
    unsigned cpus = (unsigned)topology_core_count(topology);
    time->readings = 0;
    if (!may_be_hidden(topology) || !(issue_width > 0))
        return 0;
    struct looking looking = {.clock = *clock,
                              .issue_width = issue_width,
                              .cpus = cpus,
                              .ends_s = now_s() + time->most_s,
                              .last_round = UINT_MAX,
                              .working = calloc((size_t)PATTERNS_MOST * cpus, sizeof *looking.working),
                              .shared = calloc((size_t)PATTERNS_MOST * cpus, sizeof *looking.shared)};
    unsigned *cpu = calloc(cpus, sizeof *cpu);
    int joined = looking.working && looking.shared && cpu ? 0 : -ENOMEM;
    if (joined)
        snprintf(why, size, "no memory");
    for (unsigned i = 0; !joined && i < cpus; i++)
        cpu[i] = topology_cores(topology)[i].cpu;
    if (!joined)
        joined = team_create(topology, cpu, cpus, &looking.team, why, size);
    if (!joined && glance(&looking)) {
        looking.patterns = make_patterns(cpus, looking.working);
        if (look_at_all(&looking, READINGS))
            joined = join(topology, &looking, cpu);
    }
    unsigned last_round = atomic_load(&looking.last_round);
    time->readings = last_round < looking.round ? last_round : looking.round;
    team_destroy(looking.team);
    free(looking.working);
    free(looking.shared);
    free(cpu);
    return joined;
}
