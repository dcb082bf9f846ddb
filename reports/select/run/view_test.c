/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/run/testing.h"

#include <math.h>

TEST(last_record_of_an_identity_wins)
{
    MADE_RUN(run, RECORDS(BETA(1, 1e9, 1.0, true), BETA(2, 2e9, 1.5, true), BETA(1, 9e9, 3.5, true)));
    assert_int_equal(run.view.of[VIEW_BETA].count, 2);
    assert_near(view_median(view_roof(&run.view, "memory", 1), "bytes_per_s"), 9e9, 1);
    remake_run(
        &run, "{}",
        "{'type':'prepare','name':'tables','kernel':'a','k':64},{'type':'prepare','name':'tables','kernel':'b','k'"
        ":64}");
    assert_int_equal(run.view.of[VIEW_PREPARE].count, 2);
}

TEST(samples_are_counted_by_cause_with_those_of_the_roof)
{
    MADE_RUN(run,
             "{'type':'samples','name':'a','tsc_hz':1000,'grade':'chain','rejected':{'interrupt':[0,2],'sibling':[3]},"
             "'ticks':[1,2,3,4],'core_khz':[5,5,5,5],'roof':{'stream':1,'grade':'wall','rejected':{'interrupt':[0]},"
             "'ticks':[1,2,3,4],'core_khz':[5,5,5,5]}}");
    assert_int_equal(run.view.samples, 8);
    assert_int_equal(run.view.samples_rejected, 4);
    assert_int_equal(json_integer_value(json_object_get(run.view.rejected, "interrupt")), 3);
    assert_int_equal(json_integer_value(json_object_get(run.view.rejected, "sibling")), 1);
}

TEST(gammas_of_another_kind_of_core_are_left_out)
{
    MADE_RUN(run, "{'type':'gamma','name':'a','accumulators':4,'kind':'P','gamma':{'median':1}},"
                  "{'type':'gamma','name':'a','accumulators':4,'kind':'E','gamma':{'median':2}},"
                  "{'type':'gamma','name':'b','accumulators':4,'kind':'P','gamma':{'median':3}}");
    assert_int_equal(run.view.of[VIEW_GAMMA].count, 2);
    assert_near(view_median(run.view.of[VIEW_GAMMA].rows[0], "gamma"), 1, 1e-9);
    assert_near(view_median(run.view.of[VIEW_GAMMA].rows[1], "gamma"), 3, 1e-9);
}

TEST(roof_mark_beats_speed_and_speed_serves_without_a_mark)
{
    MADE_RUN(run, "{'type':'beta','name':'a','level':'L2','threads':1,'roof':true,'bytes_per_s':{'median':5}},"
                  "{'type':'beta','name':'b','level':'L2','threads':1,'bytes_per_s':{'median':7}},"
                  "{'type':'beta','name':'a','level':'L1','threads':1,'bytes_per_s':{'median':5}},"
                  "{'type':'beta','name':'b','level':'L1','threads':1,'bytes_per_s':{'median':7}}");
    assert_string_equal(view_text(view_roof(&run.view, "L2", 1), "name"), "a");
    assert_string_equal(view_text(view_roof(&run.view, "L1", 1), "name"), "b");
    assert_null(view_roof(&run.view, "L1", 2));
    assert_null(view_roof(&run.view, "memory", 1));
}

TEST(absent_and_wrong_fields_are_no_numbers)
{
    MADE_RUN(run, "{'type':'gamma','name':7,'gamma':'fast','bytes_per_vector':null,'usable':1}");
    const json_t *row = run.view.of[VIEW_GAMMA].rows[0];
    assert_true(isnan(view_median(row, "gamma")));
    assert_true(isnan(view_median(row, "absent")));
    assert_true(isnan(view_bits(row)));
    assert_string_equal(view_text(row, "name"), "");
    assert_false(view_flag(row, "usable"));
    assert_true(isnan(view_median(NULL, "gamma")));
    const json_t *best[4];
    assert_int_equal(reported_best_gammas(&run.view, best, 4), 0);
}

TEST(best_gamma_ignores_probes_and_orders_families)
{
    const json_t *best[8];
    MADE_RUN(run, RECORDS(GAMMA("o", "mask", 4.0, 8, 0.5, null, true), GAMMA("p", "paper", 4.0, 4, 2.4, 2.4, true),
                          GAMMA("p", "paper", 4.0, 1, 0.1, 2.4, false), GAMMA("w", "dot", 32.0, 4, 0.6, null, true),
                          GAMMA("w", "dot", 32.0, 8, 0.3, null, true)));
    assert_int_equal(reported_best_gammas(&run.view, best, 8), 3);
    assert_near(view_median(best[0], "gamma"), 0.3, 1e-12);
    assert_near(view_median(best[1], "gamma"), 2.4, 1e-12);
    assert_near(view_median(best[2], "gamma"), 0.5, 1e-12);
    assert_int_equal(reported_best_gammas(&run.view, best, 2), 2);
}

TEST(clock_is_measured_or_follows_from_the_roof)
{
    MADE_RUN(run, BETA(2, 15e9, 3.0, true));
    assert_near(view_clock_hz(&run.view), 2.5e9, 1);
    remake_run(&run, "{}",
               RECORDS(BETA(2, 15e9, 3.0, true), "{'type':'clock','name':'cpu0','core_hz':{'median':2.0e9}},"
                                                 "{'type':'clock','name':'cpu1','core_hz':{'median':3.0e9}}"));
    assert_near(view_clock_hz(&run.view), 2.5e9, 1);
    remake_run(&run, "{}", "");
    assert_true(isnan(view_clock_hz(&run.view)));
}

TEST(teams_ascend_and_are_cut_at_capacity)
{
    unsigned teams[4];
    MADE_RUN(run, RECORDS(BETA(8, 1e9, 1.0, true), BETA(2, 1e9, 1.0, true), BETA(4, 1e9, 1.0, true)));
    assert_int_equal(view_teams(&run.view, teams, 4), 3);
    assert_int_equal(teams[0], 2);
    assert_int_equal(teams[2], 8);
    assert_int_equal(view_teams(&run.view, teams, 2), 2);
}

TEST(padding_does_not_change_the_width)
{
    MADE_RUN(run,
             "{'type':'gamma','name':'a','bytes_per_vector':8},{'type':'gemv','bits':2.08},{'type':'gemv','m':1,'bits':"
             "1.58}");
    const json_t *gamma = run.view.of[VIEW_GAMMA].rows[0];
    assert_true(view_same_family(gamma, run.view.of[VIEW_GEMV].rows[0]));
    assert_false(view_same_family(gamma, run.view.of[VIEW_GEMV].rows[1]));
    assert_false(view_same_width(gamma, NULL));
    remake_run(&run, "{}", "{'type':'gemv','bits':1.2,'format_bits':1},{'type':'gamma','bytes_per_vector':4}");
    assert_true(view_same_width(run.view.of[VIEW_GEMV].rows[0], run.view.of[VIEW_GAMMA].rows[0]));
    assert_near(view_bits(run.view.of[VIEW_GEMV].rows[0]), 1.2, 1e-12);
    assert_near(view_format_bits(run.view.of[VIEW_GEMV].rows[0]), 1.0, 1e-12);
}

TEST(a_kernel_that_rounds_is_not_wrong)
{
    MADE_RUN(run, "{'type':'gemv','m':1},{'type':'gemv','m':2,'exact':true},{'type':'gemv','m':3,'exact':false},"
                  "{'type':'gemv','m':4,'exact':false,'within_bound':true}");
    static const bool wrong[] = {false, false, true, false};
    assert_int_equal(run.view.of[VIEW_GEMV].count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(view_is_wrong(run.view.of[VIEW_GEMV].rows[i]),
                         wrong[(size_t)view_number(run.view.of[VIEW_GEMV].rows[i], "m") - 1]);
}

TEST(what_has_a_schedule_is_no_row)
{
    MADE_RUN(
        run,
        "{'type':'gemv','name':'a','m':1},{'type':'gemv','name':'a','m':1,'cell':'gemv/a/1x1/t2/cold/schedule=dynamic'},"
        "{'type':'gemv','name':'a','m':2,'cell':'gemv/a/2x2/t1/cold/member=1'},"
        "{'type':'decode','name':'a','model':'b'},"
        "{'type':'decode','name':'a','model':'b','cell':'decode/b/a/h/c8/t2/schedule=dynamic'}");
    assert_int_equal(run.view.of[VIEW_GEMV].count, 1);
    assert_null(json_object_get(run.view.of[VIEW_GEMV].rows[0], "cell"));
    assert_int_equal(run.view.of[VIEW_DECODE].count, 1);
    assert_null(json_object_get(run.view.of[VIEW_DECODE].rows[0], "cell"));
}

TEST(a_batch_is_no_token)
{
    MADE_RUN(run, "{'type':'decode','name':'a','context':8},{'type':'decode','name':'a','context':8,'users':1},"
                  "{'type':'decode','name':'a','context':8,'users':4,'threads':1},"
                  "{'type':'decode','name':'a','context':8,'contexts':[4,8],'users':4,'threads':1},"
                  "{'type':'decode','name':'a','context':8,'users':4,'threads':1}");
    assert_int_equal(run.view.of[VIEW_DECODE].count, 1);
    assert_null(json_object_get(run.view.of[VIEW_DECODE].rows[0], "users"));
    assert_int_equal(run.view.of[VIEW_BATCH].count, 3); /* users of several lengths are no others */
    assert_true(view_number(run.view.of[VIEW_BATCH].rows[1], "users") == 4);
}

TEST(a_token_over_a_cache_of_fewer_bits_stands_apart)
{
    MADE_RUN(run, "{'type':'decode','name':'a','context':8},{'type':'decode','name':'b','context':8,'cache':'bf16'},"
                  "{'type':'decode','name':'a','context':8,'cache':'q8_0'},"
                  "{'type':'decode','name':'a','context':8,'cache':'q4_0'},"
                  "{'type':'decode','name':'a','context':8,'cache':'q8_0'},"
                  "{'type':'decode','name':'a','context':8,'cache':'q8_0','users':2},"
                  "{'type':'decode','name':'a','context':8,'cache':'q8_0','cell':'decode/a/schedule=dynamic'}");
    assert_int_equal(run.view.of[VIEW_DECODE].count, 2);
    assert_int_equal(run.view.of[VIEW_CACHED].count, 2);
    assert_int_equal(run.view.of[VIEW_BATCH].count, 0);
}

TEST(busy_clock_is_that_of_the_cells_of_the_team)
{
    MADE_RUN(run, RECORDS(BETA(2, 15e9, 3.0, true),
                          "{'type':'gemv','name':'a','threads':2,'bytes_per_s':8e9,'bytes_per_cycle_per_core':2},"
                          "{'type':'gemv','name':'b','threads':1,'bytes_per_s':8e9}"));
    assert_near(view_busy_clock_hz(&run.view, 2), 2.0e9, 1);
    assert_near(view_busy_clock_hz(&run.view, 1), 2.5e9, 1); /* no cell has one: the clock of the roof */
}

TEST(the_origin_says_who_published_a_sequence)
{
    MADE_RUN(run, "{'type':'gamma','name':'a','origin':'bitnet-cpp','sequence':'madd','format_bits':2},"
                  "{'type':'gamma','name':'b','origin':'kneepoint','sequence':'paper','format_bits':2},"
                  "{'type':'gamma','name':'c','origin':'envelope','sequence':'dot','format_bits':8},"
                  "{'type':'gamma','name':'d','sequence':'paper','bytes_per_vector':8}");
    const json_t *const *rows = run.view.of[VIEW_GAMMA].rows;
    assert_true(view_is_paper(rows[0]));
    assert_string_equal(view_origin(rows[0]), "bitnet-cpp");
    assert_false(view_is_paper(rows[1]));
    assert_string_equal(view_origin(rows[1]), "");
    assert_false(view_is_paper(rows[2])); /* int8 needs no up-convert */
    assert_true(view_is_paper(rows[3]));
}

/** A user's folders are no part of the name, however a shell completes it. */
TEST(a_run_is_named_by_the_last_part_of_its_path)
{
    static const char *const paths[][2] = {{"results/machine/447", "447"},
                                           {"somewhere/else/447/", "447"},
                                           {"machine/447///", "447"},
                                           {"447", "447"},
                                           {"./", "."}};
    struct run_records records = {.meta = json_object(), .records = json_array()};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct view view;
        assert_int_equal(view_open(paths[i][0], &records, &view), 0);
        assert_string_equal(view_run_name(&view), paths[i][1]);
        view_close(&view);
    }
    json_decref(records.meta);
    json_decref(records.records);
}

RUN_TESTS(NULL, NULL)
