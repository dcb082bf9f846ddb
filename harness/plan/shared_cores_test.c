/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/shared_cores.h"
#include "unit_test.h"

enum { THREADS = 4, ROUNDS = 8 };

/** Bit of a member set: its core was shared in that round. */
struct host {
    unsigned shared[ROUNDS];
};

static struct shared_cores look_at(const struct host *host, double *width, double *alone)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned member = 0; member < THREADS; member++)
            width[round * THREADS + member] = host->shared[round] >> member & 1 ? 3.1 : 5.9;
    }
    for (unsigned member = 0; member < THREADS; member++)
        alone[member] = 6;
    return (struct shared_cores){THREADS, ROUNDS, width, alone};
}

TEST(a_team_is_undisturbed_when_all_of_it_are)
{
    static const struct host host = {{0x1, 0x2, 0, 0x3, 0, 0x4, 0x8, 0}};
    double width[ROUNDS * THREADS], alone[THREADS];
    struct shared_cores look = look_at(&host, width, alone);
    assert_true(shared_cores_undisturbed(&look, (const unsigned[]){0}, 1) == 0.75);
    assert_true(shared_cores_undisturbed(&look, (const unsigned[]){0, 1}, 2) == 0.625);
    assert_true(shared_cores_undisturbed(&look, (const unsigned[]){0, 1, 2, 3}, 4) == 0.375);
    look.rounds = 0;
    assert_true(shared_cores_undisturbed(&look, (const unsigned[]){0, 1, 2, 3}, 4) == 1);
}

TEST(what_could_not_be_read_is_not_taken_for_shared)
{
    static const struct host host = {{0xf, 0xf, 0xf, 0xf, 0xf, 0xf, 0xf, 0xf}};
    double width[ROUNDS * THREADS], alone[THREADS];
    struct shared_cores look = look_at(&host, width, alone);
    assert_true(shared_cores_undisturbed(&look, (const unsigned[]){1}, 1) == 0);
    for (unsigned round = 0; round < ROUNDS; round++)
        width[round * THREADS + 1] = 0;
    assert_true(shared_cores_undisturbed(&look, (const unsigned[]){1}, 1) == 1);
    for (unsigned member = 0; member < THREADS; member++)
        alone[member] = 0;
    assert_true(shared_cores_undisturbed(&look, (const unsigned[]){0}, 1) == 1);
}

static const unsigned sizes[] = {1, 2, 4};
enum { SIZES = sizeof sizes / sizeof *sizes };

TEST(the_widest_team_that_can_be_measured_is_taken)
{
    static const struct {
        struct host host;
        unsigned group[THREADS], threads, order[THREADS];
    } table[] = {
        /* no other guest is there: as asked, in the order of the topology */
        {{{0}}, {0, 0, 0, 0}, 4, {0, 1, 2, 3}},
        /* now and then: a quarter of the instants is enough */
        {{{0xf, 0xf, 0xf, 0xf, 0xf, 0xf, 0, 0}}, {0, 0, 0, 0}, 4, {0, 1, 2, 3}},
        {{{0xf, 0xf, 0xf, 0xf, 0xf, 0xf, 0xf, 0}}, {0, 0, 0, 0}, 1, {0, 1, 2, 3}},
        /* two are shared always: the others come first */
        {{{0x5, 0x5, 0x5, 0x5, 0x5, 0x5, 0x5, 0x5}}, {0, 0, 0, 0}, 2, {1, 3, 0, 2}},
        /* but not before cores of another group */
        {{{0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3}}, {0, 0, 1, 1}, 1, {0, 1, 2, 3}},
        {{{0x5, 0x5, 0x5, 0x5, 0x5, 0x5, 0x5, 0x5}}, {0, 0, 1, 1}, 1, {1, 0, 3, 2}},
        /* each alone is quiet half of the time, both together never */
        {{{0xd, 0xe, 0xd, 0xe, 0xd, 0xe, 0xd, 0xe}}, {0, 0, 0, 0}, 1, {0, 1, 2, 3}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double width[ROUNDS * THREADS], alone[THREADS];
        unsigned order[THREADS];
        struct shared_cores look = look_at(&table[i].host, width, alone);
        assert_int_equal(shared_cores_choose(&look, table[i].group, sizes, SIZES, order), table[i].threads);
        assert_memory_equal(order, table[i].order, sizeof order);
    }
}

/** Whatever this machine is like: what is left is a team of the session's CPUs, and the session knows why. */
TEST(a_session_is_narrowed_to_some_of_its_cpus)
{
    struct session *session;
    char why[SESSION_WHY];
    const struct session_request request = {.seed = 1};
    assert_int_equal(session_open(&request, &session, why, sizeof why), 0);
    unsigned asked = session->threads, first = session->cpus[0];
    assert_int_equal(shared_cores_narrow(session, why, sizeof why), 0);
    assert_in_range(session->threads, 1, asked);
    assert_int_equal(session->narrowed.asked, session->threads < asked ? asked : 0);
    assert_true(session->threads < asked || session->cpus[0] == first);
    assert_true(session->narrowed.undisturbed_asked <= 1 && session->narrowed.undisturbed_chosen <= 1);
    session_close(session);
}

RUN_TESTS(NULL, NULL)
