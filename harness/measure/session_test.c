/* SPDX-License-Identifier: BSD-3-Clause */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/sampler.h"
#include "harness/measure/session_level.h"
#include "harness/measure/session_testing.h"
#include "unit_test.h"

TEST_GIVEN_BY(a_session_knows_its_machine, const struct session *session, open_session, close_session)
{
    assert_true(session->threads >= 1);
    assert_true(session->instruments.tsc_hz > 1e7 && session->instruments.tsc_hz < 1e10);
    assert_true(session->issue_width > 1 && session->issue_width < 16);
    assert_false(session_runs(session, "no_such_isa"));
    assert_true(session_runs(session, "reference"));
    for (unsigned i = 0; i < session->threads; i++)
        assert_non_null(topology_core_of_cpu(session->machine.topology, session->cpus[i]));
}

TEST(what_cannot_be_had_is_refused_with_a_reason)
{
    static const struct session_request requests[] = {
        {.team.threads = SESSION_CPUS_MAX}, {.team.cpus = "99999"}, {.team.cpus = "0,,1"}, {.team.kind = "X"}};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        struct session *session = NULL;
        char why[WHY] = "";
        assert_true(session_open(&requests[i], &session, why, sizeof why) < 0);
        assert_null(session);
        assert_true(strlen(why) > 0 && !strchr(why, '\n'));
    }
}

TEST_GIVEN_BY(teams_are_made_on_demand, struct session *session, open_session, close_session)
{
    char why[WHY];
    for (unsigned threads = session->threads; threads >= 1; threads--) {
        struct team *team = session_team(session, threads, why, sizeof why);
        assert_non_null(team);
        assert_int_equal(team_threads(team), threads);
        assert_ptr_equal(session_team(session, threads, why, sizeof why), team);
    }
}

TEST_GIVEN_BY(a_team_may_begin_at_another_member, struct session *session, open_session, close_session)
{
    char why[WHY];
    skip_if(session->threads < 2, "not on this machine: one core");
    struct team *team = session_team_from(session, 1, 1, why, sizeof why);
    assert_non_null(team);
    assert_int_equal(team_threads(team), 1);
    assert_int_equal(team_cpus(team)[0], session->cpus[1]);
    assert_int_equal(sched_getcpu(), session->cpus[1]);
    assert_ptr_equal(session_team_from(session, 1, 1, why, sizeof why), team);
    team = session_team(session, 1, why, sizeof why);
    assert_int_equal(team_cpus(team)[0], session->cpus[0]);
    assert_true(session_leads_kind(session, 0));
}

/* ---- levels ---- */

/* Where a roof is missing, the line says what samples were rejected for. */
TEST(a_missing_roof_says_why)
{
    struct session *session = calloc(1, sizeof *session);
    char why[SESSION_WHY];
    assert_non_null(session);
    session->instruments.judged[SAMPLE_SIBLING] = 5;
    session_roof_missing(session, "L2", 3, why, sizeof why);
    assert_non_null(strstr(
        why, "no sample of the read roof of L2 with 3 threads was kept (of 5 samples 5 shared a core with others)"));
    assert_non_null(strstr(why, "or with fewer threads"));
    session_roof_missing(session, "memory", 1, why, sizeof why);
    assert_non_null(strstr(why, "of memory with 1 thread was kept"));
    assert_null(strstr(why, "fewer threads"));
    free(session);
}

TEST(a_level_is_named_by_what_stays_resident)
{
    struct session *session = calloc(1, sizeof *session);
    assert_non_null(session);
    session->threads = 2;
    session->level_bytes[1] = 48 << 10;
    session->level_bytes[2] = 2 << 20;
    session->level_bytes[3] = 32 << 20;
    static const struct {
        size_t bytes;
        const char *level;
    } table[] = {
        {1, "L1"},       {24 << 10, "L1"},         {(24 << 10) + 1, "L2"}, {3 << 19, "L2"}, {(3 << 19) + 1, "L3"},
        {8 << 20, "L3"}, {(8 << 20) + 1, "memory"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_string_equal(session_level_of(session, table[i].bytes, 2), table[i].level);
    /* one core alone has all of what several would share, however wide the widest team is */
    assert_string_equal(session_level_of(session, 16 << 20, 1), "L3");
    assert_string_equal(session_level_of(session, (16 << 20) + 1, 1), "memory");
    session->level_bytes[3] = 0;
    assert_string_equal(session_level_of(session, 8 << 20, 2), "memory");
    session->level_bytes[1] = session->level_bytes[2] = 0;
    assert_string_equal(session_level_of(session, 1, 2), "memory");
    free(session);
}

TEST(a_cache_is_read_by_what_stays_in_it)
{
    struct session *session = calloc(1, sizeof *session);
    assert_non_null(session);
    session->level_bytes[1] = 48 << 10;
    session->level_bytes[2] = 2 << 20;
    session->level_bytes[3] = 105 << 20;
    enum { UNIT = SESSION_STREAM_UNIT };
    assert_int_equal(session_cache_bytes(session, "L1", 8), (24 << 10) / UNIT * UNIT);
    assert_int_equal(session_cache_bytes(session, "L2", 8), (1 << 20) / UNIT * UNIT);
    assert_int_equal(session_cache_bytes(session, "L3", 1), (6 << 20) / UNIT * UNIT);
    assert_int_equal(session_cache_bytes(session, "L3", 8), (6 << 20) / UNIT * UNIT);
    /* 56 cores share 105 MB: 6 MiB each would not stay */
    size_t share = ((size_t)105 << 20) / 56;
    assert_int_equal(session_cache_bytes(session, "L3", 56), ((2 << 20) + share / 2) / UNIT * UNIT);
    session->level_bytes[2] = 0;
    assert_int_equal(session_cache_bytes(session, "L3", 56), share / 2 / UNIT * UNIT);
    session->level_bytes[1] = 100;
    assert_int_equal(session_cache_bytes(session, "L1", 1), UNIT);
    assert_true(session_has_level(session, "memory") && session_has_level(session, "L3"));
    assert_false(session_has_level(session, "L2"));
    free(session);
}

TEST(roofs_are_kept_by_level_and_team)
{
    struct session *session = calloc(1, sizeof *session);
    assert_non_null(session);
    for (unsigned i = 0; i < SESSION_LEVELS; i++) {
        for (unsigned threads = 1; threads <= 2; threads++)
            session_set_roof(session, session_levels[i], threads,
                             &(struct session_roof){.chosen = true, .stream.prefetch_bytes = 10 * i + threads});
    }
    for (unsigned i = 0; i < SESSION_LEVELS; i++) {
        for (unsigned threads = 1; threads <= 2; threads++)
            assert_int_equal(session_roof(session, session_levels[i], threads)->stream.prefetch_bytes,
                             10 * i + threads);
    }
    assert_int_equal(session->roof[2].stream.prefetch_bytes, 2); /* memory, which GEMV is held against */
    free(session);
}

TEST_WITH(the_same_seed_gives_the_same_numbers, open_session, close_session)
{
    struct session *session = *state, *other;
    char why[WHY];
    struct session_request request = {.seed = 42};
    assert_int_equal(session_open(&request, &other, why, sizeof why), 0);
    uint64_t first = session_random(session);
    assert_true(first == session_random(other));
    for (int i = 0; i < 100; i++) {
        uint64_t next = session_random(session);
        assert_true(next == session_random(other) && next != first);
    }
    session_close(other);
}

RUN_TESTS(NULL, NULL)
