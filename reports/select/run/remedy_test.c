/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/run/remedy.h"
#include "reports/select/run/testing.h"

static void assert_remedy(const char *command, const char *expected)
{
    const struct view view = {.path = "r/1"};
    char text[96];
    assert_string_equal(remedy_of(&view, command, text, sizeof text), expected);
}

static void a_remedy_adds_to_this_run_where_it_can(void **state)
{
    (void)state;
    assert_remedy("kneepoint gemv", "kneepoint gemv --into=r/1");
    assert_remedy("kneepoint gemm --cold f16", "kneepoint gemm --cold f16 --into=r/1");
    assert_remedy("kneepoint quantize --into=RUN --mixed", "kneepoint quantize --into=r/1 --mixed");
    assert_remedy("kneepoint beta --latency", "kneepoint beta --latency --into=r/1");
    assert_remedy("kneepoint characterize", "kneepoint characterize");
    assert_remedy("kneepoint gemvs", "kneepoint gemvs");
    assert_remedy("kneepoint gemv --json >FILE", "kneepoint gemv --json >FILE");
    assert_remedy("kneepoint gemv --into=other", "kneepoint gemv --into=other");
}

static void all_that_can_be_measured_takes_as_long_as_its_cells_at_this_pace(void **state)
{
    (void)state;
    struct made_run run;
    make_run(&run, "{}", "{'type':'end','seconds':100,'cells':50,'cells_left_out':100,'cells_dropped':50}");
    assert_near(remedy_full_s(&run.view), 400, 1e-9);
    free_run(&run);
    make_run(&run, "{}", "{'type':'end','seconds':100,'cells':50,'cells_left_out':0}");
    assert_true(isnan(remedy_full_s(&run.view)));
    free_run(&run);
    make_run(&run, "{}", "");
    assert_true(isnan(remedy_full_s(&run.view)));
    free_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_remedy_adds_to_this_run_where_it_can),
        cmocka_unit_test(all_that_can_be_measured_takes_as_long_as_its_cells_at_this_pace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
