/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/rounds_tests.h"
#include "harness/measure/session_level.h"
#include "harness/plan/protocol.h"
#include "unit_test.h"

TEST(samples_are_shared_by_visits)
{
    static const struct {
        unsigned samples, visits, rounds, each;
    } table[] = {{24, 4, 4, 6}, {4, 4, 4, 1}, {3, 4, 1, 3}, {10, 4, 4, 2}, {1, 3, 1, 1}, {0, 4, 0, 0}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct effort effort = protocol_effort(table[i].samples, table[i].visits, 5, 2.5);
        assert_int_equal(effort.rounds, table[i].rounds);
        assert_int_equal(effort.samples, table[i].each);
        assert_int_equal(effort.settled, 5);
        assert_true(effort.patience_s == 2.5);
    }
}

TEST(what_failed_is_told_by_its_cell_or_by_the_error)
{
    struct cell cell[2] = {{.name = "fine"}, {.why = "cell: it is wrong"}};
    struct cells cells = {.cell = cell, .count = 2};
    char why[64];
    protocol_why(&cells, 1, -EILSEQ, why, sizeof why);
    assert_string_equal(why, "cell: it is wrong");
    protocol_why(&cells, 0, -ENOMEM, why, sizeof why);
    assert_non_null(strstr(why, "no memory for what is measured"));
    protocol_why(&cells, 0, -EINTR, why, sizeof why);
    assert_string_equal(why, strerror(EINTR));
    protocol_why(&(struct cells){0}, 0, -ENOMEM, why, sizeof why);
    assert_non_null(strstr(why, "no memory for what is measured"));
}

TEST_GIVEN_BY(each_cell_gets_its_visits_and_nobody_waits_unless_asked, struct bench *bench, open_bench, close_bench)
{
    add_quick_cells(bench, 3);
    struct execution execution = execution_of(bench);
    const struct effort effort = {.rounds = 2, .samples = 4, .settled = 1000};
    size_t failed = 0;
    assert_int_equal(protocol_measure(bench->session, &bench->cells, 1, 3, &effort, &execution, &failed), 0);
    static const size_t samples[] = {0, 8, 8};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(bench->cells.cell[i].samples.count, samples[i]);
}

TEST_GIVEN_BY(a_roof_is_looked_for_among_the_streams_of_its_level_and_team_alone, struct bench *bench, open_bench,
              close_bench)
{
    int stop = 1;
    const struct execution execution = {.stop = &stop};
    size_t failed = 0;
    add_quick_cells(bench, 2);
    bench->session->level_bytes[1] = 32 << 10;
    assert_int_equal(protocol_roof(bench->session, &bench->cells, "L1", 1, &execution, &failed), -EINTR);
    assert_true(bench->cells.count > 2);
    for (size_t i = 2; i < bench->cells.count; i++) {
        assert_non_null(beta_cell(&bench->cells.cell[i]));
        assert_string_equal(beta_cell(&bench->cells.cell[i])->level, "L1");
    }
    assert_false(session_roof(bench->session, "L1", 1)->chosen); /* stopped before any was read */
}

RUN_TESTS(NULL, NULL)
