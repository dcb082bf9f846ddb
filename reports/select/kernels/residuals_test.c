/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/residuals.h"
#include "reports/select/run/testing.h"

#define CELL(name, origin, side, protocol, max, overlap, more)                                                         \
    "{'type':'gemv','name':'" name "','origin':'" origin "','m':" #side ",'k':2048,'threads':1,'protocol':'" protocol  \
    "','time_s':1e-5,'residual':" #max ",'residual_overlap':" #overlap more "}"

static const char lines[] =
    RECORDS(CELL("a", "kneepoint", 1024, "cold", 0.5, 0.01, ""), CELL("a", "kneepoint", 1025, "cold", -0.6, -0.02, ""),
            CELL("a", "kneepoint", 1026, "cold", 0.7, 0.03, ""), CELL("a", "kneepoint", 1027, "cold", 0.7, 0.03, ""),
            CELL("a", "kneepoint", 1028, "cold", 0.7, 0.03, ""), CELL("b", "kneepoint", 1024, "cold", 0.7, 0.09, ""),
            CELL("b", "kneepoint", 1025, "cold", 0.2, null, ""), CELL("c", "envelope", 1024, "cold", 0.1, 0.5, ""),
            CELL("a", "kneepoint", 4096, "cold", 0.9, 0.9, ",'held_out':false"),
            CELL("a", "kneepoint", 4097, "cold", 0.9, 0.9, ",'above_roof':true"),
            CELL("a", "kneepoint", 64, "cold", 0.9, 0.2, ""), CELL("a", "kneepoint", 1024, "warm", 0.3, 0.4, ""));

TEST(only_cells_that_the_model_has_not_seen_count)
{
    MADE_RUN(run, lines);
    struct residual_query query = {.ours = true, .cold = true, .with_overlap = true};
    struct residual_spread overlap = residuals_of(&run.view, &query, RESIDUAL_OVERLAP);
    struct residual_spread max = residuals_of(&run.view, &query, RESIDUAL_MAX);
    assert_int_equal(overlap.count, 6);
    assert_int_equal(max.count, 6); /* of the same cells */
    assert_near(overlap.median, 0.03, 1e-12);
    assert_near(overlap.median_size, 0.03, 1e-12);
    assert_near(overlap.tenth_size, 0.09, 1e-12);
    assert_string_equal(view_text(overlap.worst, "name"), "b");
    assert_true(isnan(overlap.known_size) && isnan(overlap.known_tenth_size)); /* times without intervals */
    query.with_overlap = false;
    assert_int_equal(residuals_of(&run.view, &query, RESIDUAL_MAX).count, 7);
    query.kernel = "a";
    overlap = residuals_of(&run.view, &query, RESIDUAL_OVERLAP);
    assert_int_equal(overlap.count, 5);
    assert_true(isnan(overlap.tenth_size)); /* of five cells nothing is said */
    assert_string_equal(residuals_verdict(&overlap, false), "");
}

TEST(protocols_and_sizes_are_apart)
{
    MADE_RUN(run, lines);
    struct residual_query query = {.cold = true, .small = true};
    assert_near(residuals_of(&run.view, &query, RESIDUAL_OVERLAP).median, 0.2, 1e-12);
    query = (struct residual_query){.cold = false};
    assert_near(residuals_of(&run.view, &query, RESIDUAL_OVERLAP).median, 0.4, 1e-12);
    query = (struct residual_query){.kernel = "none", .cold = true};
    struct residual_spread none = residuals_of(&run.view, &query, RESIDUAL_OVERLAP);
    assert_true(none.count == 0 && isnan(none.median) && isnan(none.median_size) && !none.worst);
}

TEST(targets_are_met_or_missed)
{
    struct residual_spread spread = {.count = 6, .median_size = 0.03, .tenth_size = 0.08};
    assert_string_equal(residuals_verdict(&spread, false), "met");
    spread.tenth_size = 0.0801;
    assert_string_equal(residuals_verdict(&spread, false), "missed");
    assert_string_equal(residuals_verdict(&spread, true), "met");
    spread = (struct residual_spread){.count = 6, .median_size = 0.031, .tenth_size = 0.05};
    assert_string_equal(residuals_verdict(&spread, false), "missed");
    spread.median_size = 0.11;
    assert_string_equal(residuals_verdict(&spread, true), "missed");
}

RUN_TESTS(NULL, NULL)
