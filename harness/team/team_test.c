/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "harness/team/team.h"
#include "unit_test.h"

enum { MOST = 16 };

struct machine {
    struct topology *topology;
    unsigned cpus[MOST];
    unsigned threads;
};

/** Up to four CPUs, hardware threads included. */
static int open_machine(void **state)
{
    static struct machine machine;
    char why[256];
    struct team_request request = {.use_smt = true};
    assert_int_equal(topology_open(NULL, &machine.topology, why, sizeof why), 0);
    size_t allowed = topology_allowed_pus(machine.topology);
    request.threads = machine.threads = allowed < 4 ? (unsigned)allowed : 4;
    assert_int_equal(topology_plan_team(machine.topology, &request, machine.cpus, MOST, why, sizeof why),
                     machine.threads);
    *state = &machine;
    return 0;
}

static int close_machine(void **state)
{
    topology_close(((struct machine *)*state)->topology);
    return 0;
}

static struct team *team_of(const struct machine *machine, unsigned threads)
{
    struct team *team = NULL;
    char why[256] = "";
    if (team_create(machine->topology, machine->cpus, threads, &team, why, sizeof why) != 0)
        fail_msg("%s", why);
    return team;
}

struct seen {
    cpu_set_t affinity[MOST];
    int cpu[MOST];
    pthread_t thread[MOST];
    unsigned calls[MOST];
};

static void look(void *context, unsigned member)
{
    struct seen *seen = context;
    sched_getaffinity(0, sizeof seen->affinity[member], &seen->affinity[member]);
    seen->cpu[member] = sched_getcpu();
    seen->thread[member] = pthread_self();
    seen->calls[member]++;
}

TEST_GIVEN(each_member_runs_once_on_its_own_cpu, const struct machine *machine)
{
    struct team *team = team_of(machine, machine->threads);
    struct seen seen = {0};
    assert_int_equal(team_threads(team), machine->threads);
    assert_memory_equal(team_cpus(team), machine->cpus, machine->threads * sizeof *machine->cpus);
    team_run(team, look, &seen);
    for (unsigned t = 0; t < machine->threads; t++) {
        assert_int_equal(seen.calls[t], 1);
        assert_int_equal(CPU_COUNT(&seen.affinity[t]), 1);
        assert_true(CPU_ISSET(machine->cpus[t], &seen.affinity[t]));
        assert_int_equal(seen.cpu[t], machine->cpus[t]);
        for (unsigned other = 0; other < t; other++)
            assert_false(pthread_equal(seen.thread[t], seen.thread[other]));
    }
    team_destroy(team);
}

TEST_GIVEN(member_0_is_the_caller_and_gets_its_affinity_back, const struct machine *machine)
{
    cpu_set_t before, after;
    sched_getaffinity(0, sizeof before, &before);
    struct team *team = team_of(machine, machine->threads);
    struct seen seen = {0};
    team_run(team, look, &seen);
    assert_true(pthread_equal(seen.thread[0], pthread_self()));
    team_destroy(team);
    sched_getaffinity(0, sizeof after, &after);
    assert_true(CPU_EQUAL(&before, &after));
}

TEST_GIVEN(teams_follow_one_another, const struct machine *machine)
{
    cpu_set_t before, after;
    sched_getaffinity(0, sizeof before, &before);
    for (unsigned i = 0; i < 20; i++) {
        struct team *team = team_of(machine, 1 + i % machine->threads);
        struct seen seen = {0};
        team_run(team, look, &seen);
        for (unsigned t = 0; t < MOST; t++)
            assert_int_equal(seen.calls[t], t < team_threads(team));
        team_destroy(team);
    }
    sched_getaffinity(0, sizeof after, &after);
    assert_true(CPU_EQUAL(&before, &after));
}

TEST_GIVEN(jobs_follow_one_another, const struct machine *machine)
{
    struct team *team = team_of(machine, machine->threads);
    struct seen seen = {0};
    for (int i = 0; i < 500; i++)
        team_run(team, look, &seen);
    for (unsigned t = 0; t < machine->threads; t++)
        assert_int_equal(seen.calls[t], 500);
    team_destroy(team);
}

struct meeting {
    struct team *team;
    unsigned round[MOST]; /* written between two barriers, read by all between the next two */
    unsigned apart;
};

enum { ROUNDS = 5000 };

static void meet(void *context, unsigned member)
{
    struct meeting *meeting = context;
    for (unsigned round = 1; round <= ROUNDS; round++) {
        meeting->round[member] = round;
        team_barrier(meeting->team);
        for (unsigned t = 0; t < team_threads(meeting->team); t++) {
            if (meeting->round[t] != round)
                __atomic_fetch_add(&meeting->apart, 1, __ATOMIC_RELAXED);
        }
        team_barrier(meeting->team);
    }
}

TEST_GIVEN(nobody_passes_the_barrier_alone, const struct machine *machine)
{
    for (unsigned threads = 1; threads <= machine->threads; threads++) {
        struct meeting meeting = {.team = team_of(machine, threads)};
        team_run(meeting.team, meet, &meeting);
        assert_int_equal(meeting.apart, 0);
        for (unsigned t = 0; t < threads; t++)
            assert_int_equal(meeting.round[t], ROUNDS);
        team_destroy(meeting.team);
    }
}

TEST_GIVEN(more_threads_than_cpus_are_refused_before_a_team_is_made, const struct machine *machine)
{
    char why[256] = "";
    unsigned cpus[2000];
    struct team_request request = {.threads = (unsigned)topology_allowed_pus(machine->topology) + 1, .use_smt = true};
    assert_int_equal(topology_plan_team(machine->topology, &request, cpus, 2000, why, sizeof why), -ERANGE);
    assert_true(strlen(why) > 0 && !strchr(why, '\n'));
}

TEST_GIVEN(a_cpu_that_is_not_allowed_is_an_error_and_changes_nothing, const struct machine *machine)
{
    cpu_set_t before, after;
    sched_getaffinity(0, sizeof before, &before);
    struct team *team = NULL;
    for (unsigned bad = 0; bad < 2 && bad < machine->threads; bad++) {
        unsigned cpus[2] = {machine->cpus[0], machine->cpus[machine->threads - 1]};
        char why[256] = "";
        cpus[bad] = 100000;
        assert_true(team_create(machine->topology, cpus, bad + 1, &team, why, sizeof why) < 0);
        assert_non_null(strstr(why, "100000"));
        assert_null(team);
    }
    sched_getaffinity(0, sizeof after, &after);
    assert_true(CPU_EQUAL(&before, &after));
}

TEST(no_team_can_be_destroyed)
{
    cpu_set_t before, after;
    sched_getaffinity(0, sizeof before, &before);
    team_destroy(NULL);
    sched_getaffinity(0, sizeof after, &after);
    assert_true(CPU_EQUAL(&before, &after));
}

RUN_TESTS(open_machine, close_machine)
