/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/best.h"
#include "reports/select/run/reported.h"
#include "reports/select/run/testing.h"

/* A quantity of that median, whose halves say other things. */
#define HALVES_OF(all, chooses, reports)                                                                               \
    "{'median':" #all ",'min':1,'mad':0,'ci95':[1,9],'n':12,'rejected':0,'unit':'s','grade':'chain','halves':["        \
    "{'median':" #chooses ",'ci95':[1,9],'n':6},{'median':" #reports ",'ci95':[2,8],'n':6}]}"
#define ALL_OF(all, n)                                                                                                 \
    "{'median':" #all ",'min':1,'mad':0,'ci95':[1,9],'n':" #n ",'rejected':0,'unit':'s','grade':'chain'}"
#define CELL(name, time)                                                                                               \
    "{'type':'gemv','name':'" name "','m':64,'k':64,'threads':1,'protocol':'cold','format_bits':2,'predicted_s':2,"    \
    "'residual':0,'bytes_per_s':" ALL_OF(100, 12) ",'time_s':" time "}"
#define BEST(name, best, gamma)                                                                                        \
    "{'type':'gamma','name':'" name "','accumulators':4,'usable':true,'best':" best                                    \
    ",'bytes_per_vector':8,'knee':4,'gamma':" gamma "}"

static const struct cell_query any_cell = {.cold = true};

TEST(the_first_half_chooses_and_the_second_is_reported)
{
    MADE_RUN(run, RECORDS(CELL("lucky", HALVES_OF(4, 2, 5)), CELL("slow", HALVES_OF(3, 3, 3))));
    const json_t *row = best_gemv(&run.view, &any_cell).row;
    assert_string_equal(view_text(row, "name"), "lucky");
    assert_true(view_median(row, "time_s") == 5);
    assert_true(view_number(json_object_get(row, "time_s"), "n") == 6);
    assert_near(view_median(row, "bytes_per_s"), 80, 1e-9); /* the same bytes in five fourths of the time */
    assert_near(view_number(row, "residual"), 1.5, 1e-9);
    assert_true(reported_same(row, run.view.of[VIEW_GEMV].rows[0]));
    assert_false(reported_same(row, run.view.of[VIEW_GEMV].rows[1]));
    assert_true(view_median(run.view.of[VIEW_GEMV].rows[0], "time_s") == 4); /* as it is in tables */
}

TEST(what_has_no_halves_does_not_compete)
{
    MADE_RUN(run, RECORDS(CELL("few", ALL_OF(5, 9)), CELL("enough", HALVES_OF(3, 3, 4))));
    struct best best = best_gemv(&run.view, &any_cell);
    assert_string_equal(view_text(best.row, "name"), "enough");
    assert_true(best.known);
    assert_null(best.passed);
    /* what may be faster is named beside the best that can be known */
    remake_run(&run, "{}",
               RECORDS(CELL("few", ALL_OF(2, 9)), CELL("fewer", ALL_OF(1, 7)), CELL("enough", HALVES_OF(3, 3, 4)),
                       CELL("slow", HALVES_OF(5, 5, 5))));
    best = best_gemv(&run.view, &any_cell);
    assert_string_equal(view_text(best.row, "name"), "enough");
    assert_true(best.known);
    assert_string_equal(view_text(best.passed, "name"), "fewer");
    /* where none can be chosen, the least median, which is not known to be the best */
    make_run(&run, "{}",
             RECORDS(CELL("few", ALL_OF(2, 9)), CELL("fewer", ALL_OF(1, 7)),
                     "{'type':'gemv','name':'other','m':1,'k':1,"
                     "'protocol':'warm','time_s':" HALVES_OF(3, 3, 4) "}"));
    best = best_gemv(&run.view, &any_cell);
    assert_string_equal(view_text(best.row, "name"), "fewer");
    assert_false(best.known);
    assert_null(best.passed);
    /* one without others has no luck; with halves it has the number that it would have among others */
    remake_run(&run, "{}", CELL("alone", HALVES_OF(3, 2, 4)));
    best = best_gemv(&run.view, &any_cell);
    assert_true(best.known && view_median(best.row, "time_s") == 4);
    /* an older run */
    remake_run(&run, "{}", RECORDS(CELL("one", ALL_OF(2, 9)), CELL("other", ALL_OF(1, 9))));
    best = best_gemv(&run.view, &any_cell);
    assert_string_equal(view_text(best.row, "name"), "other");
    assert_true(best.known);
    remake_run(&run, "{}", "{'type':'gemv','name':'none','m':64,'k':64,'protocol':'cold','time_s':null}");
    best = best_gemv(&run.view, &any_cell);
    assert_true(!best.row && !best.known && !best.passed);
    free_run(&run);
}

/* n samples of that median whose interval is narrow, and halves that are. */
#define NARROW(all, n)                                                                                                 \
    "{'median':" #all ",'min':" #all ",'mad':0,'ci95':[" #all "," #all "],'n':" #n                                     \
    ",'rejected':0,'unit':'s','grade':'chain'}"
#define NARROW_HALVES(all)                                                                                             \
    "{'median':" #all ",'min':1,'mad':0,'ci95':[" #all "," #all "],'n':12,'rejected':0,'unit':'s','grade':'chain',"    \
    "'halves':[{'median':" #all ",'ci95':[" #all "," #all "],'n':6},{'median':" #all ",'ci95':[" #all "," #all         \
    "],'n':6}]}"

TEST(what_is_faster_by_more_than_both_intervals_is_the_fastest)
{
    MADE_RUN(run, RECORDS(CELL("few", NARROW(2, 9)), CELL("enough", NARROW_HALVES(3)), CELL("slow", NARROW(5, 8))));
    struct best best = best_gemv(&run.view, &any_cell);
    assert_string_equal(view_text(best.row, "name"), "few");
    assert_true(best.known && !best.passed && view_median(best.row, "time_s") == 2);
    /* though not known to be where another that cannot compete may be faster */
    remake_run(&run, "{}",
               RECORDS(CELL("few", NARROW(2, 9)), CELL("enough", NARROW_HALVES(3)), CELL("wide", ALL_OF(4, 9))));
    best = best_gemv(&run.view, &any_cell);
    assert_string_equal(view_text(best.row, "name"), "few");
    assert_true(!best.known && !best.passed);
    /* by a wide interval, or too few for one: passed over */
    remake_run(&run, "{}", RECORDS(CELL("few", ALL_OF(2, 9)), CELL("enough", NARROW_HALVES(3))));
    best = best_gemv(&run.view, &any_cell);
    assert_string_equal(view_text(best.row, "name"), "enough");
    assert_string_equal(view_text(best.passed, "name"), "few");
    remake_run(&run, "{}", RECORDS(CELL("few", NARROW(2, 5)), CELL("enough", NARROW_HALVES(3))));
    best = best_gemv(&run.view, &any_cell);
    assert_string_equal(view_text(best.row, "name"), "enough");
    assert_true(best.known);
    free_run(&run);
}

#define SHARED(name, time, share)                                                                                      \
    "{'type':'gemv','name':'" name "','m':64,'k':64,'threads':1,'protocol':'cold','time_s':" time                      \
    ",'roof_fraction':" share "}"

TEST(a_share_without_halves_does_not_compete)
{
    MADE_RUN(run, RECORDS(SHARED("few beside the roof", HALVES_OF(1, 1, 1), ALL_OF(1, 9)),
                          SHARED("enough", HALVES_OF(3, 3, 4), HALVES_OF(2, 2, 5))));
    struct best best = best_gemv(&run.view, &any_cell);
    assert_string_equal(view_text(best.row, "name"), "enough");
    assert_true(view_median(best.row, "roof_fraction") == 5);
    assert_string_equal(view_text(best.passed, "name"), "few beside the roof");
}

#define AT_ROOF(name, bytes, time, share, beside, binds)                                                               \
    "{'type':'gemv','name':'" name "','m':64,'k':64,'threads':1,'protocol':'cold','binds':'" binds                     \
    "','bytes_per_s':{'median':" bytes "},'time_s':" time ",'roof_fraction':" share                                    \
    ",'roof_bytes_per_s':{'median':" beside "}}"

TEST(what_was_measured_while_memory_gave_more_is_held_against_the_runs_roof)
{
    /* 100 bytes in 2 s at a roof of 50 bytes a second, and 106 in 1 s beside one of 200 */
    MADE_RUN(run, RECORDS("{'type':'beta','level':'memory','threads':1,'roof':true,'bytes_per_s':{'median':50}}",
                          AT_ROOF("memory", "50", NARROW_HALVES(2), NARROW_HALVES(0.95), "50", "memory"),
                          AT_ROOF("fast minute", "106", NARROW_HALVES(1), NARROW_HALVES(0.5), "200", "up-convert"),
                          AT_ROOF("computes", "25", NARROW_HALVES(4), NARROW_HALVES(0.5), "54", "up-convert")));
    assert_near(reported_choice(&run.view, VIEW_GEMV, 0).value, 100 / (0.95 * 50), 1e-9);
    assert_near(reported_choice(&run.view, VIEW_GEMV, 1).value, 106 / (0.5 * 50), 1e-9);
    assert_near(reported_choice(&run.view, VIEW_GEMV, 2).value, 4, 1e-9);
    assert_string_equal(view_text(best_gemv(&run.view, &any_cell).row, "name"), "memory");
    free_run(&run);
}

TEST(of_gammas_the_best_of_each_sequence_compete)
{
    const json_t *best[4];
    MADE_RUN(run, RECORDS(BEST("a.mask", "false", HALVES_OF(1, 1, 1)), BEST("b.mask", "true", HALVES_OF(2, 2, 4)),
                          BEST("c.mask", "true", HALVES_OF(3, 3, 3))));
    assert_int_equal(reported_best_gammas(&run.view, best, 4), 1);
    assert_string_equal(view_text(best[0], "name"), "b.mask");
    assert_true(view_median(best[0], "gamma") == 4 && view_number(best[0], "knee") == 2);
    /* a sequence that may be faster and has no best of its own is passed over */
    remake_run(&run, "{}", RECORDS(BEST("a.mask", "false", ALL_OF(1, 9)), BEST("b.mask", "true", HALVES_OF(2, 2, 4))));
    assert_int_equal(reported_best_gammas(&run.view, best, 4), 1);
    assert_string_equal(view_text(best[0], "name"), "b.mask");
    /* what no clock counted is in no headline */
    remake_run(&run, "{}",
               "{'type':'gamma','name':'w','usable':true,'best':true,'bytes_per_vector':8,'gamma':{'median':1,'n':9,"
               "'grade':'wall'}}");
    assert_int_equal(reported_best_gammas(&run.view, best, 4), 0);
}

RUN_TESTS(NULL, NULL)
