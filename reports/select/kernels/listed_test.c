/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/listed.h"
#include "reports/select/run/testing.h"

/* clang-format off */
#define CELL(name, format, origin, m, threads, time, fine) "{'type':'gemv','name':'" name "','format':'" format "','format_bits':2," \
    "'origin':'" origin "','m':" #m ",'k':4096,'threads':" #threads ",'protocol':'cold','within_bound':" #fine ",'exact':" #fine "," \
    "'time_s':{'median':" #time ",'n':9}}"
/* clang-format on */

static bool has(struct made_run *run, const char *name, double m)
{
    static struct listed listed;
    listed_of(&run->view, &listed);
    for (size_t i = 0; i < run->view.of[VIEW_GEMV].count; i++) {
        const json_t *row = run->view.of[VIEW_GEMV].rows[i];
        if (strcmp(view_text(row, "name"), name) == 0 && view_number(row, "m") == m)
            return listed_has(&listed, row);
    }
    fail_msg("no cell of %s", name);
    return false;
}

TEST(the_fastest_of_a_format_are_listed_with_every_shape)
{
    MADE_RUN(run, RECORDS(CELL("a.x.avx2", "a", "kneepoint", 4096, 1, 1e-4, true),
                          CELL("a.y.avx2", "a", "kneepoint", 4096, 1, 2e-4, true),
                          CELL("a.x.avx2", "a", "kneepoint", 4096, 2, 9e-5, true),
                          CELL("a.z.avx2", "a", "kneepoint", 4096, 2, 5e-5, true),
                          CELL("a.paper.avx2", "a", "envelope", 4096, 1, 4e-4, true),
                          CELL("a.wrong.avx2", "a", "kneepoint", 4096, 1, 9e-4, false),
                          CELL("a.x.avx2", "a", "kneepoint", 64, 1, 1e-4, true),
                          CELL("a.y.avx2", "a", "kneepoint", 64, 1, 1e-5, true),
                          CELL("b.x.avx2", "b", "kneepoint", 64, 1, 1e-4, true),
                          CELL("b.y.avx2", "b", "kneepoint", 64, 1, 2e-4, true)));
    assert_true(has(&run, "a.x.avx2", 4096));
    assert_true(has(&run, "a.x.avx2", 64));
    assert_true(has(&run, "a.z.avx2", 4096)); /* with the widest team */
    assert_true(has(&run, "a.paper.avx2", 4096));
    assert_true(has(&run, "a.wrong.avx2", 4096)); /* not valid: shown as that */
    assert_false(has(&run, "a.y.avx2", 4096));
    assert_false(has(&run, "a.y.avx2", 64));
    assert_true(has(&run, "b.x.avx2", 64)); /* never on the reference shape */
    assert_true(has(&run, "b.y.avx2", 64));
}

TEST(a_run_without_cells_lists_none)
{
    static struct listed listed;
    MADE_RUN(run, "");
    listed_of(&run.view, &listed);
    assert_int_equal(listed.count, 0);
    assert_int_equal(listed.judged_count, 0);
}

/* clang-format off */
#define GAMMA_OF(name, format, origin, gamma, best) GAMMA_AT(4, name, format, origin, gamma, best)
#define GAMMA_AT(accumulators, name, format, origin, gamma, best) "{'type':'gamma','name':'" name "','format':'" format "','format_bits':2,'origin':'" \
    origin "','accumulators':" #accumulators ",'best':" best ",'usable':true,'gamma':{'median':" #gamma ",'n':9}}"
/* clang-format on */

TEST(two_sequences_stand_for_a_format)
{
    MADE_RUN(run, RECORDS(GAMMA_OF("a.x.avx2", "a", "kneepoint", 1.0, "true"),
                          GAMMA_OF("a.y.avx2", "a", "kneepoint", 2.0, "true"),
                          GAMMA_OF("a.p.avx2", "a", "envelope", 3.0, "true"),
                          GAMMA_OF("a.q.avx2", "a", "bitnet-cpp", 4.0, "true"),
                          GAMMA_AT(8, "a.x.avx2", "a", "kneepoint", 0.5, "false"),
                          GAMMA_OF("b.x.avx2", "b", "envelope", 9.0, "true"),
                          GAMMA_OF("b.z.avx2", "b", "kneepoint", 9.5, "false")));
    for (size_t i = 0; i < run.view.of[VIEW_GAMMA].count; i++) {
        const json_t *row = run.view.of[VIEW_GAMMA].rows[i];
        const char *name = view_text(row, "name");
        bool least = strcmp(name, "a.x.avx2") == 0 || strcmp(name, "a.p.avx2") == 0 || strcmp(name, "b.x.avx2") == 0;
        assert_int_equal(least_is(&run.view, row), least && view_flag(row, "best"));
    }
    assert_true(least_is_named(&run.view, "a.x.avx2"));
    assert_false(least_is_named(&run.view, "a.q.avx2"));
    assert_true(least_is_named(&run.view, "b.z.avx2")); /* no best that could tell */
    assert_true(least_is_named(&run.view, "nobody"));
}

/* Its halves have the same median. */
#define WITH_HALVES(name, gamma)                                                                                       \
    "{'type':'gamma','name':'" name "','format':'a','format_bits':2,'accumulators':4,'best':true,'usable':true,"       \
    "'gamma':{'median':" #gamma ",'n':12,'halves':[{'median':" #gamma ",'ci95':[0.1,9],'n':6},{'median':" #gamma       \
    ",'ci95':[0.1,9],'n':6}]}}"

TEST(a_sequence_that_has_too_few_samples_is_passed_over)
{
    MADE_RUN(run, RECORDS(GAMMA_OF("a.few.avx2", "a", "kneepoint", 0.5, "true"), WITH_HALVES("a.x.avx2", 1.0),
                          WITH_HALVES("a.y.avx2", 2.0)));
    assert_false(least_is_named(&run.view, "a.few.avx2"));
    assert_true(least_is_named(&run.view, "a.x.avx2"));
    assert_false(least_is_named(&run.view, "a.y.avx2"));
}

RUN_TESTS(NULL, NULL)
