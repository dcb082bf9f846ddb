/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/claims.h"

#include "reports/select/testing.h"

static void what_a_paper_states_is_read_from_its_file(void **state)
{
    (void)state;
    json_t *values = claims_values("envelope");
    assert_non_null(values);
    assert_near(claims_value(values, "gemv_share_1b", 0), 0.87, 1e-9);   /* a plain list */
    assert_near(claims_value(values, "speedup_arl_2bit", 2), 5.8, 1e-9); /* one with a unit */
    assert_near(claims_value(values, "speedup_arlh_1bit", 1), 4, 1e-9);
    assert_true(isnan(claims_value(values, "speedup_arl_2bit", 3)));
    assert_true(isnan(claims_value(values, "speedup_lnl_1bit", 0))); /* the paper saw no further speed-up */
    json_decref(values);
}

static void a_paper_that_is_not_there_states_nothing(void **state)
{
    (void)state;
    json_t *values = claims_values("no-such-paper");
    assert_null(values);
    assert_true(isnan(claims_value(values, "gemv_share_1b", 0)));
    assert_null(claims_values("../../platforms/known/arl"));
}

static void the_row_nearest_to_the_claim_is_as_published(void **state)
{
    (void)state;
    struct made_run run;
    make_run(&run, "{}",
             GAMMA("p", "paper", 8.0, 1, 5.0, 1.25, false) "," GAMMA("p", "paper", 8.0, 4, 1.26, 1.25, true) "," GAMMA(
                 "p", "paper", 8.0, 8, 0.9, 1.25, true) "," GAMMA("q", "paper", 8.0, 4, 1.25, null, true));
    const struct view_rows *rows = &run.view.of[VIEW_GAMMA];
    assert_int_equal(rows->count, 4);
    assert_false(claims_is_as_published(&run.view, rows->rows[0]));
    assert_true(claims_is_as_published(&run.view, rows->rows[1]));
    assert_false(claims_is_as_published(&run.view, rows->rows[2]));
    assert_false(claims_is_as_published(&run.view, rows->rows[3])); /* nothing is claimed */
    free_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_paper_states_is_read_from_its_file),
        cmocka_unit_test(a_paper_that_is_not_there_states_nothing),
        cmocka_unit_test(the_row_nearest_to_the_claim_is_as_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
