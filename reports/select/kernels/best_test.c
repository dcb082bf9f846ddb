/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/best.h"
#include "reports/select/run/testing.h"

/* A cold 2-bit cell of 64 x 64: its median, and by what it is chosen; too few samples for halves without the second. */
#define CELL(name, origin, threads, chooses, used)                                                                     \
    "{'type':'gemv','name':'" name "','format':'f','origin':'" origin                                                  \
    "','format_bits':2,'m':64,'k':64,'threads':" #threads ",'protocol':'cold','gamma_used':'" used                     \
    "','time_s':{'median':" #chooses ",'n':12,'halves':[{'median':" #chooses                                           \
    ",'ci95':[1,9],'n':6},{'median':" #chooses ",'ci95':[1,9],'n':6}]}}"
#define WITHIN(name, chooses, low, high, used)                                                                            \
    "{'type':'gemv','name':'" name                                                                                        \
    "','format':'f','origin':'kneepoint','format_bits':2,'m':64,'k':64,'threads':2,'protocol':'cold','gamma_used':'" used \
    "','time_s':{'median':" #chooses ",'n':12,'halves':[{'median':" #chooses ",'ci95':[" #low "," #high                   \
    "],'n':6},{'median':" #chooses ",'ci95':[" #low "," #high "],'n':6}]}}"
/* One that waits for memory, with its share of the roof. */
#define BOUND(name, time, share)                                                                                       \
    "{'type':'gemv','name':'" name                                                                                     \
    "','format':'f','origin':'kneepoint','format_bits':2,'m':64,'k':64,'threads':2,'protocol':'cold','binds':'memory'" \
    ",'bytes_per_s':{'median':1e6},'time_s':{'median':1e-3,'n':12,'halves':[{'median':" #time                          \
    ",'ci95':[1,9],'n':6},{'median':" #time ",'ci95':[1,9],'n':6}]},'roof_fraction':{'median':" #share                 \
    ",'n':12,'halves':[{'median':" #share ",'ci95':[" #share "," #share "],'n':6},{'median':" #share                   \
    ",'ci95':[0.1,2],'n':6}]}}"
#define FEW(name, origin, threads, median)                                                                             \
    "{'type':'gemv','name':'" name "','format':'f','origin':'" origin                                                  \
    "','format_bits':2,'m':64,'k':64,'threads':" #threads ",'protocol':'cold','time_s':{'median':" #median ",'n':9}}"
#define OF_GAMMA(name, gamma)                                                                                          \
    "{'type':'gamma','name':'" name                                                                                    \
    "','accumulators':4,'format_bits':2,'bits':2,'usable':true,'gamma':{'median':" #gamma ",'n':9}}"
#define ROOF(threads, rate, cycle)                                                                                     \
    "{'type':'beta','level':'memory','threads':" #threads ",'stream':'s','roof':true,'bytes_per_s':{'median':" #rate   \
    "},'bytes_per_cycle_per_core':{'median':" #cycle "}}"

static struct best best_of(struct made_run *run, enum best_origin origin, unsigned threads)
{
    const struct best_query query = {.width = width_of_bits(2), .origin = origin, .m = 64, .k = 64, .threads = threads};
    return best_of_width(&run->view, &query);
}

static void assert_best(struct made_run *run, enum best_origin origin, unsigned threads, const char *name,
                        const char *passed)
{
    struct best best = best_of(run, origin, threads);
    assert_string_equal(view_text(best.row, "name"), name);
    assert_string_equal(view_text(best.passed, "name"), passed);
    assert_true(best.known);
}

TEST(origin_and_team_are_filters_and_what_lacks_samples_is_passed_over)
{
    MADE_RUN(run, RECORDS(FEW("few", "envelope", 2, 1), CELL("theirs", "envelope", 2, 2, ""),
                          CELL("ours", "kneepoint", 2, 4, ""), CELL("slow", "envelope", 2, 8, ""),
                          CELL("ours", "kneepoint", 1, 3, ""), FEW("few", "kneepoint", 1, 9)));
    assert_best(&run, BEST_OF_ALL, 2, "theirs", "few");
    assert_best(&run, BEST_OF_PUBLISHED, 2, "theirs", "few");
    assert_best(&run, BEST_OF_OURS, 2, "ours", "");
    assert_best(&run, BEST_OF_ALL, 1, "ours", "");
    assert_null(best_of(&run, BEST_OF_PUBLISHED, 1).row);
    assert_null(best_of(&run, BEST_OF_ALL, 4).row);
}

TEST(where_none_has_samples_the_least_is_shown_but_not_known)
{
    MADE_RUN(run, RECORDS(FEW("few", "kneepoint", 2, 2), FEW("fewer", "kneepoint", 2, 1),
                          CELL("other team", "kneepoint", 1, 3, "")));
    struct best best = best_of(&run, BEST_OF_ALL, 2);
    assert_string_equal(view_text(best.row, "name"), "fewer");
    assert_true(!best.known && !best.passed);
}

/* Whatever is asked for, the order is the same. */
TEST(of_kernels_alike_the_highest_knee_is_best_within_all_and_within_its_own)
{
    MADE_RUN(run,
             RECORDS(OF_GAMMA("low", 2), OF_GAMMA("middle", 1), OF_GAMMA("high", 0.5),
                     CELL("fastest", "envelope", 2, 1.00, "low@4"), CELL("alike", "kneepoint", 2, 1.01, "middle@4"),
                     CELL("no gamma", "kneepoint", 2, 1.005, ""), CELL("beyond", "kneepoint", 2, 1.06, "high@4")));
    assert_best(&run, BEST_OF_ALL, 2, "alike", "");
    /* nearer to "alike" than to the fastest of all, which alone counts */
    assert_best(&run, BEST_OF_OURS, 2, "alike", "");
    assert_best(&run, BEST_OF_PUBLISHED, 2, "fastest", "");
    /* of equal ones without a knee the first */
    remake_run(&run, "{}", RECORDS(CELL("first", "kneepoint", 2, 1, ""), CELL("second", "kneepoint", 2, 1, "")));
    assert_best(&run, BEST_OF_ALL, 2, "first", "");
}

TEST(what_samples_cannot_tell_apart_is_alike)
{
    MADE_RUN(run, RECORDS(OF_GAMMA("low", 2), OF_GAMMA("high", 0.5), WITHIN("fastest", 1.00, 0.99, 1.01, "low@4"),
                          WITHIN("told", 1.03, 1.02, 1.04, "high@4")));
    assert_best(&run, BEST_OF_ALL, 2, "fastest", "");
    remake_run(&run, "{}",
               RECORDS(OF_GAMMA("low", 2), OF_GAMMA("high", 0.5), WITHIN("fastest", 1.00, 0.99, 1.01, "low@4"),
                       WITHIN("untold", 1.03, 1.00, 1.09, "high@4")));
    assert_best(&run, BEST_OF_ALL, 2, "untold", "");
    remake_run(&run, "{}",
               RECORDS(OF_GAMMA("low", 2), OF_GAMMA("high", 0.5), WITHIN("fastest", 1.00, 0.99, 1.01, "low@4"),
                       WITHIN("noisy", 1.20, 0.90, 1.90, "high@4")));
    assert_best(&run, BEST_OF_ALL, 2, "fastest", "");
}

/* The same bytes, of which the first were read in a minute in which memory gave half. */
TEST(a_minute_in_which_memory_was_disturbed_is_not_the_kernels)
{
    MADE_RUN(run, RECORDS(BOUND("disturbed", 2e-3, 0.99), BOUND("quiet", 1.5e-3, 0.8), ROOF(2, 1e9, 1)));
    assert_best(&run, BEST_OF_ALL, 2, "disturbed", "");
}

TEST(products_of_planes_and_of_other_widths_do_not_compete)
{
    MADE_RUN(run, RECORDS(CELL("int8 activations", "kneepoint", 2, 2, ""),
                          "{'type':'gemv','name':'w2.a2.avx2','format':'w2',"
                          "'sequence':'a2','format_bits':2,'m':64,'k':64,'threads':"
                          "2,'protocol':'cold','time_s':{'median':1,'n':12}},"
                          "{'type':'gemv','name':'one','format':'one',"
                          "'format_bits':1,'m':64,'k':64,'threads':2,"
                          "'protocol':'cold','time_s':{'median':1,'n':12}}"));
    assert_best(&run, BEST_OF_ALL, 2, "int8 activations", "");
    assert_null(width_of_bits(99));
}

#define SHARE(threads, fraction)                                                                                       \
    "{'type':'gemv','name':'k','format':'f','origin':'kneepoint','format_bits':2,'m':64,'k':64,'threads':" #threads    \
    ",'protocol':'cold','time_s':{'median':1,'n':9},'roof_fraction':{'median':" #fraction ",'n':9}}"

static void assert_fill(const char *lines, const char *words)
{
    char text[48];
    const struct best_query query = {.width = width_of_bits(2), .m = 64, .k = 64};
    MADE_RUN(run, lines);
    struct best_fill fill = best_fill_of(&run.view, &query);
    assert_string_equal(best_fill_words(&fill, text, sizeof text), words);
}

TEST(only_what_was_measured_is_said_to_fill_memory)
{
    assert_fill(RECORDS(ROOF(1, 10e9, 4.0), ROOF(2, 11e9, 2.2), SHARE(1, 0.96), SHARE(2, 0.96)), "1");
    assert_fill(RECORDS(ROOF(1, 10e9, 4.0), ROOF(2, 15e9, 3.0), SHARE(1, 0.96), SHARE(2, 0.96)), "2");
    assert_fill(RECORDS(ROOF(1, 10e9, 4.0), ROOF(2, 15e9, 3.0), SHARE(1, 0.5), SHARE(2, 0.5)), "not with 2");
    /* one core gets of two what it gets alone: not memory is full, but a core asks for no more */
    assert_fill(RECORDS(ROOF(1, 14e9, 5.65), ROOF(2, 26e9, 5.28), SHARE(1, 0.96), SHARE(2, 0.96)),
                "one core's reach is the limit");
    /* not measured: with the widest team, with another, at all */
    assert_fill(RECORDS(ROOF(1, 10e9, 4.0), ROOF(2, 15e9, 3.0), SHARE(1, 0.96)), "–");
    assert_fill(RECORDS(ROOF(1, 10e9, 4.0), ROOF(2, 15e9, 3.0), SHARE(2, 0.96)), "–");
    assert_fill(RECORDS(ROOF(1, 10e9, 4.0), ROOF(2, 15e9, 3.0)), "–");
    assert_fill("", "–");
}

/* A gamma that may be nothing says of its knee only how low it may be. */
TEST(a_knee_has_no_upper_end_where_gamma_may_be_0)
{
    json_auto_t *gamma = json_pack("{s:f, s:{s:f, s:[f,f], s:i, s:s, s:s}}", "bits", 2.0, "gamma", "median", 0.5,
                                   "ci95", -0.01, 0.8, "n", 12, "unit", "cycles", "grade", "chain");
    assert_non_null(gamma);
    struct bounded knee = best_knee(gamma);
    assert_true(knee.value == 16 && knee.low == 10 && isinf(knee.high) && knee.high > 0);
    json_array_set_new(json_object_get(json_object_get(gamma, "gamma"), "ci95"), 0, json_real(0.4));
    assert_true(best_knee(gamma).high == 20);
}

RUN_TESTS(NULL, NULL)
