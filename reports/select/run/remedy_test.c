/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/run/remedy.h"
#include "reports/select/run/testing.h"

static void assert_remedy(const char *command, const char *expected)
{
    const struct view view = {.path = "r/1"};
    char text[96];
    assert_string_equal(remedy_of(&view, command, text, sizeof text), expected);
}

TEST(a_remedy_adds_to_this_run_where_it_can)
{
    assert_remedy("kneepoint gemv", "kneepoint gemv --into=r/1");
    assert_remedy("kneepoint gemm --cold f16", "kneepoint gemm --cold f16 --into=r/1");
    assert_remedy("kneepoint quantize --into=RUN --mixed", "kneepoint quantize --into=r/1 --mixed");
    assert_remedy("kneepoint beta --latency", "kneepoint beta --latency --into=r/1");
    assert_remedy("kneepoint characterize", "kneepoint characterize");
    assert_remedy("kneepoint gemvs", "kneepoint gemvs");
    assert_remedy("kneepoint gemv --json >FILE", "kneepoint gemv --json >FILE");
    assert_remedy("kneepoint gemv --into=other", "kneepoint gemv --into=other");
}

TEST(what_a_run_lacks_is_in_the_plan_of_the_budget_that_the_run_names)
{
    char text[96];
    MADE_RUN(run, "{'type':'end','left_out':{'reason':'','least_budgets_s':{'gemm':300.0,'decode':301,'knee':111}}}");
    assert_string_equal(remedy_budget(&run.view, VIEW_GEMM, text, sizeof text), "kneepoint characterize --budget=300");
    assert_string_equal(remedy_budget(&run.view, VIEW_DECODE, text, sizeof text), "kneepoint characterize --budget=6m");
    assert_string_equal(remedy_budget(&run.view, VIEW_KNEE, text, sizeof text), "kneepoint characterize --budget=120");
    assert_null(remedy_budget(&run.view, VIEW_GEMV, text, sizeof text));
    remake_run(&run, "{}", "");
    assert_null(remedy_budget(&run.view, VIEW_GEMM, text, sizeof text));
}

RUN_TESTS(NULL, NULL)
