/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/papers/claims.h"

#include "reports/select/run/testing.h"

static void the_row_nearest_to_the_claim_is_as_published(void **state)
{
    (void)state;
    struct made_run run;
    // clang-format off
    make_run(&run, "{}",
             GAMMA("p", "paper", 8.0, 1, 5.0, 1.25, false) ","
             GAMMA("p", "paper", 8.0, 4, 1.26, 1.25, true) ","
             GAMMA("p", "paper", 8.0, 8, 0.9, 1.25, true) ","
             GAMMA("q", "paper", 8.0, 4, 1.25, null, true));
    // clang-format on
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
        cmocka_unit_test(the_row_nearest_to_the_claim_is_as_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
