/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/blocks/blocks_testing.h"
#include "unit_test.h"

TEST(facts_of_the_run_are_kept)
{
    struct run_records run = made_run();
    add_cold(&run, "gemv/k/64x64/t1/cold", 4);
    for (int i = 0; i < 2; i++)
        json_array_append_new(run.records,
                              json_pack("{s:s, s:s, s:s, s:f}", "type", "memory", "name", i ? "cpu1" : "cpu0", "pages",
                                        "thp", "huge_page_fraction", i ? 0.25 : 1.0));
    json_array_append_new(run.records, json_pack("{s:s, s:s, s:f, s:{s:i}}", "type", "end", "name", "x", "seconds",
                                                 10.0, "disturbance", "steal_ticks", 20));
    struct blocks blocks = reduced(&run);
    assert_string_equal(blocks.pages, "thp 0.25");
    assert_close(blocks.noise.steal_share, 0.01); /* 0.2 s of 2 CPUs times 10 s */
    blocks_release(&blocks);
    run_records_free(&run);
}

/** What a host is called, by the noise of one side. */
static void assert_sharing(const struct blocks_noise *noise, enum blocks_side side, bool core, bool memory,
                           const char *why)
{
    struct blocks_sharing sharing = {0};
    blocks_add_sharing(noise, side, &sharing);
    assert_int_equal(sharing.shared[COMPARE_CORE], core);
    assert_int_equal(sharing.shared[COMPARE_MEMORY], memory);
    assert_int_equal(blocks_is_shared(&sharing), core || memory);
    if (!strstr(sharing.why, why) || !why[0] != !sharing.why[0])
        fail_msg("'%s' does not say '%s'", sharing.why, why);
}

TEST(a_host_is_shared_by_the_noise_that_base_recorded)
{
    const struct blocks_noise quiet = {0.019, 0.0009, {0.0049, 0.0099}, {NAN, NAN}};
    struct blocks_noise noise = quiet;
    assert_sharing(&noise, BLOCKS_BASE, false, false, "");
    noise.neighbour_share = 0.021;
    assert_sharing(&noise, BLOCKS_BASE, true, true, "2.1% of the samples of BASE saw a neighbour");
    noise = quiet;
    noise.steal_share = 0.0011;
    assert_sharing(&noise, BLOCKS_BASE, true, true, "0.11% of the CPU time of BASE");
    noise = quiet;
    noise.spread[COMPARE_CORE] = 0.0051;
    assert_sharing(&noise, BLOCKS_BASE, true, false, "core cells of BASE scatter by 0.51%");
    noise = quiet;
    noise.spread[COMPARE_MEMORY] = 0.0101;
    assert_sharing(&noise, BLOCKS_BASE, false, true, "memory cells of BASE scatter by 1.01%");
    const struct blocks_noise unknown = {NAN, NAN, {NAN, NAN}, {NAN, NAN}};
    assert_sharing(&unknown, BLOCKS_BASE, false, false, "");
}

/** A cell that scatters must not thereby be allowed to be slower. */
TEST(what_is_judged_says_nothing_of_the_host)
{
    const struct blocks_noise noisy = {0.5, 0, {0.1, 0.1}, {NAN, NAN}};
    assert_sharing(&noisy, BLOCKS_HEAD, false, false, "");
    const struct blocks_noise stolen = {0, 0.002, {0, 0}, {0, 0}};
    assert_sharing(&stolen, BLOCKS_HEAD, true, true, "0.20% of the CPU time of HEAD");
    const struct blocks_noise controls = {0, 0, {0, 0}, {0.0051, 0.0099}};
    assert_sharing(&controls, BLOCKS_HEAD, true, false, "core controls of HEAD scatter by 0.51%");
}

/** Where a control tells, the cells of BASE are not asked. */
TEST(controls_go_before_cells)
{
    struct blocks_noise noise = {0.5, 0, {0.1, 0.1}, {0.001, NAN}};
    assert_sharing(&noise, BLOCKS_BASE, false, true, "memory cells of BASE scatter by 10.00%");
    noise.control_spread[COMPARE_MEMORY] = 0.001;
    assert_sharing(&noise, BLOCKS_BASE, false, false, "");
    noise.control_spread[COMPARE_MEMORY] = 0.02;
    assert_sharing(&noise, BLOCKS_BASE, false, true, "memory controls of BASE scatter by 2.00%");
}

TEST(spread_is_the_median_over_the_cells)
{
    struct run_records run = made_run();
    add_cold(&run, "gemv/a/64x64/t1/cold", 4);
    struct blocks blocks = reduced(&run);
    /* logarithms of 1.1 2.1 3.1 4.1: median ln sqrt(2.1 * 3.1), MAD the mean of the two middle deviations */
    double center = 0.5 * log(2.1 * 3.1);
    double deviations = 0.5 * (fabs(log(4.1) - center) + (log(3.1) - center));
    assert_true(fabs(blocks.noise.spread[COMPARE_MEMORY] - 1.4826 * deviations) < 1e-9);
    assert_true(isnan(blocks.noise.spread[COMPARE_CORE]));
    blocks_release(&blocks);
    run_records_free(&run);
}

RUN_TESTS(NULL, NULL)
