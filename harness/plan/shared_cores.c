/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/shared_cores.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "harness/plan/plan_axes.h"
#include "platforms/clock/clock.h"

/* ---------------------------------------------------------------- what the rounds say */

static bool was_shared(const struct shared_cores *look, unsigned round, unsigned member)
{
    return clock_shared(look->width[(size_t)round * look->threads + member], look->alone[member]);
}

double shared_cores_undisturbed(const struct shared_cores *look, const unsigned *members, unsigned count)
{
    unsigned undisturbed = 0;
    for (unsigned round = 0; round < look->rounds; round++) {
        unsigned at = 0;
        while (at < count && !was_shared(look, round, members[at]))
            at++;
        undisturbed += at == count;
    }
    return look->rounds ? (double)undisturbed / look->rounds : 1;
}

/** Insertion sort: stable, so that members that are alike stay in the order of the topology. */
static void order_by_quiet(const struct shared_cores *look, const unsigned *group, unsigned *order)
{
    for (unsigned i = 0; i < look->threads; i++) {
        unsigned at = i;
        double own = shared_cores_undisturbed(look, &i, 1);
        for (; at > 0 && group[order[at - 1]] == group[i] && shared_cores_undisturbed(look, &order[at - 1], 1) < own;
             at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

unsigned shared_cores_choose(const struct shared_cores *look, const unsigned *group, const unsigned *sizes,
                             size_t count, unsigned *order)
{
    order_by_quiet(look, group, order);
    size_t at = count - 1;
    while (at > 0 && shared_cores_undisturbed(look, order, sizes[at]) < SHARED_CORES_LEAST)
        at--;
    return sizes[at];
}

/* ---------------------------------------------------------------- looking */

struct looking {
    struct session *session;
    struct shared_cores *look;
    struct clock *clock; /* [threads] */
};

/** A millisecond without spinning, so that the rounds are of different moments of the host. */
static void pause_between(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void look_in_rounds(void *context, unsigned member)
{
    struct looking *looking = context;
    struct shared_cores *look = looking->look;
    for (unsigned round = 0; round < look->rounds; round++) {
        team_barrier(looking->session->team);
        look->width[(size_t)round * look->threads + member] = clock_read(&looking->clock[member]).issue_width;
        pause_between();
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/** Nineteen of twenty readings of cores of a kind are below what one of them issues alone, unless all are shared always. */
static double width_alone(const struct session *session, const struct shared_cores *look, enum core_kind kind,
                          double *scratch)
{
    size_t count = 0;
    for (size_t i = 0; i < (size_t)look->rounds * look->threads; i++) {
        if (session_kind(session, (unsigned)(i % look->threads)) == kind && look->width[i] > 0)
            scratch[count++] = look->width[i];
    }
    qsort(scratch, count, sizeof *scratch, ascending);
    return count ? scratch[count - 1 - count / 20] : 0;
}

static void find_alone(const struct session *session, struct shared_cores *look, double *scratch)
{
    for (unsigned member = 0; member < look->threads; member++) {
        enum core_kind kind = session_kind(session, member);
        double known = kind == session_kind(session, 0) ? session->issue_width : 0;
        double seen = width_alone(session, look, kind, scratch);
        look->alone[member] = seen > known ? seen : known;
    }
}

static void release(struct shared_cores *look)
{
    free(look->width);
    free(look->alone);
    *look = (struct shared_cores){0};
}

static int look_at(struct session *session, unsigned rounds, struct shared_cores *look, char *why, size_t size)
{
    size_t readings = (size_t)rounds * session->threads;
    *look = (struct shared_cores){.threads = session->threads,
                                  .rounds = rounds,
                                  .width = calloc(readings, sizeof *look->width),
                                  .alone = calloc(session->threads, sizeof *look->alone)};
    double *scratch = calloc(readings, sizeof *scratch);
    struct clock *clocks = calloc(session->threads, sizeof *clocks);
    int error = look->width && look->alone && scratch && clocks ? 0 : -ENOMEM;
    if (error)
        snprintf(why, size, "no memory");
    else if (!session_team(session, session->threads, why, size))
        error = -ENOTSUP;
    if (!error) {
        struct looking looking = {session, look, clocks};
        for (unsigned member = 0; member < session->threads; member++)
            clocks[member] = session->instruments.chain.clock;
        team_run(session->team, look_in_rounds, &looking);
        find_alone(session, look, scratch);
    }
    session_dissolve_team(session);
    free(scratch);
    free(clocks);
    return error;
}

/* ---------------------------------------------------------------- the session's team */

/** Members that may trade places have one number; ascending, as the topology's order keeps like cores together. */
static void group_members(const struct session *session, unsigned *group)
{
    const struct topology_core *former = NULL;
    for (unsigned member = 0; member < session->threads; member++) {
        const struct topology_core *core = topology_core_of_cpu(session->machine.topology, session->cpus[member]);
        bool like = former && core->kind == former->kind && core->package == former->package &&
                    core->numa_node == former->numa_node && core->llc == former->llc;
        group[member] = member == 0 ? 0 : group[member - 1] + !like;
        former = core;
    }
}

/** What a look at the session's team says: its members in the order of preference, and how many of them to take. */
struct choice {
    unsigned order[SESSION_CPUS_MAX], threads;
    double undisturbed_asked, undisturbed_chosen;
};

static int choose_by(struct session *session, unsigned rounds, struct choice *choice, char *why, size_t size)
{
    unsigned sizes[16], group[SESSION_CPUS_MAX], as_asked[SESSION_CPUS_MAX];
    size_t count = plan_team_sizes(session->threads, sizes);
    struct shared_cores look;
    int error = look_at(session, rounds, &look, why, size);
    if (!error) {
        group_members(session, group);
        for (unsigned member = 0; member < session->threads; member++)
            as_asked[member] = member;
        choice->undisturbed_asked = shared_cores_undisturbed(&look, as_asked, session->threads);
        choice->threads = shared_cores_choose(&look, group, sizes, count, choice->order);
        choice->undisturbed_chosen = shared_cores_undisturbed(&look, choice->order, choice->threads);
    }
    release(&look);
    return error;
}

int shared_cores_narrow(struct session *session, char *why, size_t size)
{
    enum { GLANCE = 40, ROUNDS = 400 };
    struct choice choice;
    unsigned cpus[SESSION_CPUS_MAX];
    if (session->threads < 2)
        return 0;
    int error = choose_by(session, GLANCE, &choice, why, size);
    if (!error && choice.threads < session->threads) /* it may have been a passing burst */
        error = choose_by(session, ROUNDS, &choice, why, size);
    if (error || choice.threads == session->threads)
        return error;
    for (unsigned member = 0; member < choice.threads; member++)
        cpus[member] = session->cpus[choice.order[member]];
    session_narrow(session, cpus, choice.threads, choice.undisturbed_asked, choice.undisturbed_chosen);
    return 0;
}
