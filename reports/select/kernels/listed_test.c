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

static void the_fastest_of_a_format_are_listed_with_every_shape(void **state)
{
    (void)state;
    struct made_run run;
    // clang-format off
    make_run(&run, "{}",
             CELL("a.x.avx2", "a", "kneepoint", 4096, 1, 1e-4, true) "," CELL("a.y.avx2", "a", "kneepoint", 4096, 1, 2e-4, true) ","
             CELL("a.x.avx2", "a", "kneepoint", 4096, 2, 9e-5, true) "," CELL("a.z.avx2", "a", "kneepoint", 4096, 2, 5e-5, true) ","
             CELL("a.paper.avx2", "a", "envelope", 4096, 1, 4e-4, true) "," CELL("a.wrong.avx2", "a", "kneepoint", 4096, 1, 9e-4, false) ","
             CELL("a.x.avx2", "a", "kneepoint", 64, 1, 1e-4, true) "," CELL("a.y.avx2", "a", "kneepoint", 64, 1, 1e-5, true) ","
             CELL("b.x.avx2", "b", "kneepoint", 64, 1, 1e-4, true) "," CELL("b.y.avx2", "b", "kneepoint", 64, 1, 2e-4, true));
    // clang-format on
    assert_true(has(&run, "a.x.avx2", 4096));
    assert_true(has(&run, "a.x.avx2", 64));
    assert_true(has(&run, "a.z.avx2", 4096)); /* with the widest team */
    assert_true(has(&run, "a.paper.avx2", 4096));
    assert_true(has(&run, "a.wrong.avx2", 4096)); /* not valid: shown as that */
    assert_false(has(&run, "a.y.avx2", 4096));
    assert_false(has(&run, "a.y.avx2", 64));
    assert_true(has(&run, "b.x.avx2", 64)); /* never on the reference shape */
    assert_true(has(&run, "b.y.avx2", 64));
    free_run(&run);
}

static void a_run_without_cells_lists_none(void **state)
{
    (void)state;
    struct made_run run;
    static struct listed listed;
    make_run(&run, "{}", "");
    listed_of(&run.view, &listed);
    assert_int_equal(listed.count, 0);
    assert_int_equal(listed.judged_count, 0);
    free_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_of_a_format_are_listed_with_every_shape),
        cmocka_unit_test(a_run_without_cells_lists_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
