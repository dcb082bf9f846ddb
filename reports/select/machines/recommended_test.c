/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/machines/recommended.h"

#include "reports/select/machines/headlines.h"
#include "reports/select/run/testing.h"

/* A 2-bit or other kernel on the reference shape, with its interval, and the gamma that it names. */
#define CELL(name, origin, bits, threads, low, time, high, share, used)                                                \
    "{'type':'gemv','name':'" name "','format':'f','sequence':'s','origin':'" origin "','format_bits':" #bits          \
    ",'bits':" #bits ",'m':4096,'k':4096,'n':1,'threads':" #threads                                                    \
    ",'protocol':'cold','binds':'memory','gamma_used':'" used "','time_s':{'median':" #time ",'ci95':[" #low "," #high \
    "],'n':9},'bytes_per_cycle_per_core':{'median':2.5,'ci95':[2.4,2.6],'n':9},'roof_fraction':{'median':" #share      \
    ",'ci95':[0.8,0.9],'n':9}}"
#define OF_GAMMA(name, origin, bits, gamma, kept)                                                                      \
    "{'type':'gamma','name':'" name "','origin':'" origin "','accumulators':4,'format_bits':" #bits ",'bits':" #bits   \
    ",'usable':true,'gamma':{'median':" #gamma ",'ci95':[0.4,0.8],'n':" #kept "}}"
#define ROOF(threads, rate, cycle)                                                                                     \
    "{'type':'beta','level':'memory','threads':" #threads ",'stream':'s','roof':true,'bytes_per_s':{'median':" #rate   \
    ",'n':9},'bytes_per_cycle_per_core':{'median':" #cycle ",'ci95':[2.9,3.1],'n':9}}"

static const struct recommended *of_width(const struct recommended *rows, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].width->name, name) == 0)
            return &rows[i];
    }
    return NULL;
}

TEST(of_kernels_that_are_alike_the_highest_knee_is_named)
{
    struct recommended rows[RECOMMENDED_MAX];
    MADE_RUN(run, RECORDS(ROOF(2, 15e9, 3.0), OF_GAMMA("low", "kneepoint", 2, 1.0, 9),
                          OF_GAMMA("high", "kneepoint", 2, 0.5, 9),
                          CELL("low.x", "kneepoint", 2, 2, 1.9e-4, 2.0e-4, 2.1e-4, 0.90, "low@4"),
                          CELL("high.x", "kneepoint", 2, 2, 2.02e-4, 2.03e-4, 2.2e-4, 0.89, "high@4"),
                          CELL("slow.x", "a-paper", 2, 2, 3e-4, 4e-4, 5e-4, 0.40, "high@4"),
                          CELL("w2.a2.x", "kneepoint", 3, 2, 1e-5, 1e-5, 1e-5, 0.9, "high@4")));
    size_t count = recommended_of(&run.view, rows);
    const struct recommended *two = of_width(rows, count, "2");
    assert_int_equal(recommended_team(&run.view), 2);
    assert_non_null(two);
    assert_string_equal(view_text(two->cell, "name"), "high.x");
    assert_string_equal(view_text(two->published, "name"), "slow.x");
    assert_near(two->knee.value, 16, 1e-9); /* 8 bytes over 0.5 */
    assert_near(two->knee.low, 10, 1e-9);
    assert_near(two->knee.high, 20, 1e-9);
    assert_near(two->published_share.value, 0.40, 1e-9);
    assert_int_equal(two->fill.state, FILL_UNKNOWN); /* of one team */
    /* a width that was not measured is listed with what measures it, one that is not asked for is not */
    assert_null(of_width(rows, count, "16")->cell);
    assert_non_null(of_width(rows, count, "16")->width->measured);
    assert_null(of_width(rows, count, "5.5"));
}

#define OF_KIND(kind, name, origin, bits, time, share)                                                                 \
    "{'type':'gemv','name':'" name "','format_kind':'" kind "','origin':'" origin "','format_bits':" #bits             \
    ",'bits':" #bits                                                                                                   \
    ",'m':4096,'k':4096,'n':1,'threads':1,'protocol':'cold','binds':'memory','time_s':{'median':" #time                \
    ",'ci95':[" #time "," #time "],'n':9},'bytes_per_cycle_per_core':{'median':2.5,'ci95':[2.4,2.6],'n':9},"           \
    "'roof_fraction':{'median':" #share ",'ci95':[0.1,0.9],'n':9}}"
#define GAMMA_OF_KIND(kind, name, origin, bits, gamma)                                                                 \
    "{'type':'gamma','name':'" name "','format_kind':'" kind "','origin':'" origin                                     \
    "','accumulators':4,'format_bits':" #bits ",'bits':" #bits ",'usable':true,'gamma':{'median':" #gamma              \
    ",'ci95':[" #gamma "," #gamma "],'n':9}}"

/* Blocks' scales take instructions: what has none is not held against what has some, however fast it is. */
TEST(the_published_kernel_is_of_the_kind_of_ours_and_has_the_highest_share)
{
    MADE_RUN(run, RECORDS(GAMMA_OF_KIND("integers", "plain.s", "envelope", 2, 0.25),
                          GAMMA_OF_KIND("scaled integers", "scaled.s", "llama.cpp", 2, 1),
                          OF_KIND("scaled integers", "ours.x", "kneepoint", 2.0625, 2e-4, 0.9),
                          OF_KIND("integers", "plain.x", "envelope", 2, 2.1e-4, 0.88),
                          OF_KIND("scaled integers", "quick.x", "llama.cpp", 2.0625, 3e-4, 0.60),
                          OF_KIND("scaled integers", "fuller.x", "t-mac", 2.25, 3.1e-4, 0.65)));
    struct recommended two = recommended_of_bits(&run.view, 2);
    assert_string_equal(view_text(two.cell, "name"), "ours.x");
    assert_string_equal(view_text(two.published, "name"), "fuller.x");
    assert_near(two.published_share.value, 0.65, 1e-9);
    assert_near(two.published_knee.value, 8, 0.5); /* of scaled.s; that of plain.s is 32 */
}

TEST(a_kernel_that_is_slower_by_more_is_not_named)
{
    MADE_RUN(run, RECORDS(OF_GAMMA("low", "kneepoint", 2, 1.0, 9), OF_GAMMA("high", "kneepoint", 2, 0.5, 9),
                          CELL("low.x", "kneepoint", 2, 1, 1.9e-4, 2.0e-4, 2.1e-4, 0.90, "low@4"),
                          CELL("high.x", "kneepoint", 2, 1, 2.2e-4, 2.3e-4, 2.4e-4, 0.88, "high@4")));
    struct recommended two = recommended_of_bits(&run.view, 2);
    assert_string_equal(view_text(two.cell, "name"), "low.x");
    assert_null(two.published);
    assert_true(isnan(two.published_share.value));
    assert_true(isnan(recommended_of_bits(&run.view, 99).knee.value));
}

TEST(of_kernels_that_are_alike_one_whose_gamma_is_known_is_named)
{
    MADE_RUN(run, RECORDS(OF_GAMMA("known", "kneepoint", 2, 1.0, 9),
                          CELL("unknown.x", "kneepoint", 2, 1, 1.9e-4, 2.0e-4, 2.1e-4, 0.90, "unknown@4"),
                          CELL("known.x", "kneepoint", 2, 1, 2.02e-4, 2.03e-4, 2.2e-4, 0.89, "known@4")));
    assert_string_equal(view_text(recommended_of_bits(&run.view, 2).cell, "name"), "known.x");
}

TEST(one_that_is_clearly_best_stays_and_the_command_is_said)
{
    struct headline headlines[HEADLINES];
    MADE_RUN(run, RECORDS(OF_GAMMA("known", "kneepoint", 2, 1.0, 9),
                          CELL("unknown.x", "kneepoint", 2, 1, 1.9e-4, 2.0e-4, 2.1e-4, 0.90, "unknown@4"),
                          CELL("known.x", "kneepoint", 2, 1, 2.3e-4, 2.4e-4, 2.5e-4, 0.89, "known@4")));
    headlines_of(&run.view, headlines);
    assert_true(isnan(headlines[HEADLINE_KNEE].number.value));
    assert_string_equal(headlines[HEADLINE_KNEE].why,
                        "γ of unknown.x was not measured; `kneepoint gamma f --into=results/machine/run` measures it");
    /* a record says more */
    json_object_set_new((json_t *)run.view.of[VIEW_GEMV].rows[0], "gamma_reason",
                        json_string("the clock chains disagree"));
    headlines_of(&run.view, headlines);
    assert_string_equal(
        headlines[HEADLINE_KNEE].why,
        "unknown.x: the clock chains disagree; `kneepoint gamma f --into=results/machine/run` measures it");
}

/* What a session calibrated with may be another number of accumulators than the best, which is all that a run may keep. */
TEST(gamma_of_the_sequence_stands_in_where_that_of_its_accumulators_is_left_out)
{
    MADE_RUN(run, RECORDS(OF_GAMMA("sequence", "kneepoint", 2, 0.5, 9), OF_GAMMA("sequence2", "kneepoint", 2, 0.1, 9),
                          CELL("kernel.x", "kneepoint", 2, 1, 1.9e-4, 2.0e-4, 2.1e-4, 0.90, "sequence@8")));
    struct recommended two = recommended_of_bits(&run.view, 2);
    assert_non_null(two.gamma);
    assert_near(two.knee.value, 16, 1e-9);
}

TEST(memory_is_filled_by_the_fewest_threads_that_read_most_of_it)
{
    MADE_RUN(run, RECORDS(ROOF(1, 10e9, 4.0), ROOF(2, 11e9, 2.2), ROOF(4, 20e9, 2.0),
                          CELL("a", "kneepoint", 2, 1, 4e-4, 4e-4, 4e-4, 0.90, ""),
                          CELL("a", "kneepoint", 2, 2, 3e-4, 3e-4, 3e-4, 0.95, ""),
                          CELL("a", "kneepoint", 2, 4, 2e-4, 2e-4, 2e-4, 0.86, ""),
                          CELL("b", "kneepoint", 1, 1, 4e-4, 4e-4, 4e-4, 0.80, ""),
                          CELL("b", "kneepoint", 1, 4, 2e-4, 2e-4, 2e-4, 0.40, "")));
    struct recommended two = recommended_of_bits(&run.view, 2), one = recommended_of_bits(&run.view, 1);
    assert_int_equal(two.fill.state, FILL_BY);
    assert_int_equal(two.fill.threads, 4);
    assert_int_equal(one.fill.state, FILL_NOT);
}

TEST(headlines_carry_intervals_or_reasons)
{
    struct headline headlines[HEADLINES];
    char line[512];
    MADE_RUN(run, RECORDS("{'type':'machine','cores':8}", ROOF(1, 10e9, 3.0), OF_GAMMA("g", "kneepoint", 2, 0.5, 3),
                          CELL("k.x", "kneepoint", 2, 1, 4e-4, 4e-4, 4e-4, 0.90, "g@4")));
    headlines_of(&run.view, headlines);
    headline_line(&headlines[HEADLINE_BETA_ALONE], line, sizeof line);
    assert_string_equal(line, "β per core, 1 core reading: 3 [2.9, 3.1] B/cycle");
    headline_line(&headlines[HEADLINE_BETA_TEAM], line, sizeof line);
    assert_string_equal(line,
                        "β per core, all cores reading: only teams of 1 were measured; `kneepoint beta --threads=8 "
                        "--into=results/machine/run` measures it");
    headline_line(&headlines[HEADLINE_KNEE], line, sizeof line);
    assert_string_equal(
        line,
        "knee of the best 2-bit kernel: 3 samples were kept, 6 are needed; `kneepoint gamma f --into=results/machine/run` measures it");
    headline_line(&headlines[HEADLINE_SHARE], line, sizeof line);
    assert_string_equal(line, "it attains, 1 thread: 90% [80%, 90%] of the read roof");
    strcpy(headlines[HEADLINE_SHARE].emulated, "QEMU TCG");
    headline_line(&headlines[HEADLINE_SHARE], line, sizeof line);
    assert_string_equal(
        line, "it attains, 1 thread: 90% [80%, 90%] of the read roof (EMULATED by QEMU TCG, no speed of a machine)");
    remake_run(&run, "{}", "");
    headlines_of(&run.view, headlines);
    for (size_t i = 0; i < HEADLINES; i++) {
        assert_true(isnan(headlines[i].number.value));
        assert_contains(headlines[i].why, "measures it");
    }
}

RUN_TESTS(NULL, NULL)
