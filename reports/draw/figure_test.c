/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/figure.h"

#include <errno.h>

#include "reports/draw/figure_testing.h"
#include "reports/draw/gnuplot.h"
#include "reports/select/run/testing.h"

TEST(knee_has_lines_that_bend_at_the_knee_and_points_on_the_largest_team)
{
    freed char *settings, *data;
    select_records("knee", SMALL_RUN, &settings, &data);
    assert_contains(data, "4 \"1 thread\"\n3 \"2 threads\"");
    assert_contains(data, "0 0\n7.5 7.5\n\n\n# "); /* 2.5 times the beta of the largest team */
    assert_contains(data, "6.4 6.4\n7.5 6.4\n");
    assert_lacks(data, "16 16"); /* the other knee lies beyond */
    assert_contains(
        data,
        "1 3 1.5 1.5 1.5 3 \"64×128\" \"int2.envelope.avx_vnni\"\n"); /* place, beta of two threads, measured, modelled */
    assert_contains(data, "2 3 2.7 2.7 2.7 3 \"64×128\" \"int2.mask.avx_vnni\"\n");
    assert_contains(settings, "lines = 1\n", "array line_title[1] = ['2-bit, paper: 6.4']",
                    "array line_name[1] = ['2-bit, paper, int2.envelope.avx_vnni ×4']",
                    "notes = 1\narray note[1] = ['2-bit, ours 16']", "clouds = 2\n");
}

TEST(knee_shows_the_paper_as_published_and_the_reference_shape)
{
    freed char *settings, *data;
    select_records("knee",
                   RECORDS(SMALL_RUN, GAMMA("int2.envelope.avx512", "envelope", 8.0, 12, 0.8, null, true),
                           GEMV("int2.mask.avx_vnni", "mask", 2.0, 4096, 4096, 2, "cold", 2e-4, 2.9, 0.9, 0.1),
                           "{'type':'gemv','name':'hasty','sequence':'mask','bits':2.0,'m':4096,'k':4096,'threads':2,"
                           "'protocol':'cold','time_s':1e-9,'bytes_per_cycle_per_core':99,'above_roof':true}"),
                   &settings, &data);
    assert_contains(settings, "array line_title[1] = ['2-bit, as published: 6.4']", "array line_width[1] = [1.2]",
                    "array note[1] = ['2-bit, paper 10;  2-bit, ours 16']");
    assert_contains(data, "2 3 2.9 2.7 2.9 3 \"64×128\" \"int2.mask.avx_vnni\""); /* the dot is 4096x4096 */
}

TEST(padded_matrices_stay_in_the_family_of_their_format)
{
    freed char *settings, *data;
    select_records(
        "gemv",
        "{'type':'gemv','name':'a','format_bits':1,'bits':1.2,'m':320,'k':1600,'threads':1,'protocol':'cold','"
        "time_s':1e-5,"
        "'bytes_per_s':2e9,'roof_fraction':0.66667},"
        "{'type':'gemv','name':'a','format_bits':1,'bits':1.0,'m':512,'k':2048,'threads':1,'protocol':'cold','"
        "time_s':1e-5,"
        "'bytes_per_s':9e9,'roof_fraction':2.25,'above_roof':true}",
        &settings, &data);
    assert_contains(settings, "array row_title[1] = ['1-bit, ours']", "invalid = 1\n");
    assert_contains(data, "\"67\" 2 66.667 1 \"320x1600\" \"a\"");
    assert_contains(data, "\"225\" 9 225 0 \"512x2048\""); /* above the roof: hollow */
}

TEST(knee_without_gemv_has_no_clouds)
{
    freed char *settings, *data;
    select_records("knee", RECORDS(BETA(1, 10e9, 4.0, true), GAMMA("a", "mask", 8.0, 8, 0.5, null, true)), &settings,
                   &data);
    assert_contains(settings, "clouds = 0\n");
    assert_contains(settings, "cloud_title[1] = ['']"); /* gnuplot has no empty array */
}

TEST(gemv_shows_the_best_kernel_of_a_width)
{
    freed char *settings, *data;
    MADE_RUN(run, SMALL_RUN ",{'type':'gemv','name':'faster','sequence':'other','bits':2.0,'m':64,'k':128,'threads':2,"
                            "'protocol':'cold','time_s':1e-7,'bytes_per_s':{'median':2.5e9}}");
    select_figure("gemv", &run, &settings, &data);
    assert_contains(data, " \"?\" 2.5 nan 1 \"64x128\" \"faster\""); /* no roof was read beside it */
    assert_lacks(data, "int2.mask.avx_vnni");
    assert_contains(settings, "columns = 1\n", "array row_title[2] = ['2-bit, ours', '2-bit, published']",
                    "array model_title[1] = ['model-a']", "'1 thread, roof 10.0 GB/s', '2 threads, roof 15.0 GB/s'");
    assert_contains(data, "NaN NaN"); /* nothing was run with one thread */
}

TEST(roofline_ceiling_follows_from_gamma_and_clock)
{
    freed char *settings, *data;
    MADE_RUN(
        run,
        RECORDS(
            BETA(2, 15e9, 3.0, true), GAMMA("p", "envelope", 8.0, 4, 1.25, 1.25, true),
            "{'type':'gemv','name':'p','sequence':'paper','bits':2,'m':64,'k':128,'threads':2,'protocol':'cold',"
            "'time_s':2e-6,'bytes_per_s':8e9,'bytes_per_cycle_per_core':2},"
            "{'type':'gemv','name':'hasty','sequence':'paper','bits':2,'m':64,'k':128,'threads':2,'protocol':'cold',"
            "'time_s':1e-9,'above_roof':true}"));
    select_figure("roofline", &run, &settings, &data);
    /* 64 operations / 1.25 cycles at the 2.0 GHz of the cell on 2 cores = 204.8 Gop/s, around 8 operations per byte */
    assert_contains(data, "7.27273 8.8 204.8 0xd55e00 1.25 \"p\"\n");
    assert_contains(data, "0.75 11.25\n24 360\n");                       /* the slope of 15 GB/s */
    assert_contains(data, " 8.192 0xd55e00 \"64x128\" \"p\" 8.192 1\n"); /* 2 * 64 * 128 operations in 2 us */
    assert_lacks(data, "hasty");
}

/* Of the sequence of which SMALL_RUN has two numbers of accumulators, for a curve. */
#define MORE_ACCUMULATORS                                                                                              \
    RECORDS(GAMMA("int2.envelope.avx_vnni", "envelope", 8.0, 2, 2.5, null, false),                                     \
            GAMMA("int2.envelope.avx_vnni", "envelope", 8.0, 8, 1.25, null, false))

TEST(gamma_without_a_curve_has_nothing_to_draw)
{
    MADE_RUN(run, SMALL_RUN);
    assert_missing(
        "gamma", &run.view,
        "no γ of a sequence with four numbers of accumulators; `kneepoint gamma --into=results/machine/run` measures it");
}

TEST(gamma_marks_a_claim_once)
{
    freed char *settings, *data;
    select_records("gamma", RECORDS(SMALL_RUN, MORE_ACCUMULATORS), &settings, &data);
    /* accumulators, gamma, interval, fit (these records have none), claim */
    assert_contains(data, "1 5 0 0 nan nan \"latency\" \"int2.envelope.avx_vnni\"\n2 2.5 ", "\n4 1.25 0 0 nan 1.25 ");
    /* one panel of the format, a line of each sequence, the least under the title */
    assert_contains(settings, "panels = 1\n", "array panel_title[1] = [', 2 bits']", "array panel_first[1] = [1]",
                    "array panel_last[1] = [2]", "array panel_best[1] = ['");
}

#define EXPERIMENT(name, format, sequence, gamma)                                                                      \
    "{'type':'gamma','name':'" name "','isa':'avx2','format':'" format "','sequence':'" sequence                       \
    "','accumulators':4,'bytes_per_vector':32,'uops_per_vector':2,'usable':true,'best':true,'gamma':{'median':" #gamma \
    "}}"

TEST(experiments_are_no_sequences_of_a_width)
{
    freed char *settings, *data;
    const json_t *rows[8];
    MADE_RUN(run, RECORDS(SMALL_RUN, MORE_ACCUMULATORS, EXPERIMENT("c2.mad.avx2", "c2", "mad", 0.5),
                          EXPERIMENT("c2.tbl.avx2", "c2", "tbl", 0.55),
                          EXPERIMENT("c2.tbl_add_cvt.avx2", "c2", "tbl_add_cvt", 1.0),
                          EXPERIMENT("elut.table16_ymm.avx2", "elut", "table16_ymm", 0.64),
                          EXPERIMENT("elut.table64_ymm.avx2", "elut", "table64_ymm", 3.2)));
    assert_int_equal(reported_best_gammas(&run.view, rows, 8), 2);
    select_figure("c2", &run, &settings, &data);
    assert_contains(settings, "tics = 3\n"); /* without the whole register, which the run lacks */
    assert_contains(data, "\n1 1 1 1 0x0072b2 1 0 0 \"1.00|0.50 cycles\" ",
                    "\n2 1 1 1 0xb0b0b0 1 0 0 \"1.00|3.77 ns\" ",
                    "\n4 1.1 1.1 1.1 0x0072b2 1 0 0 \"1.10|0.55 cycles\" ",
                    "\n5 0.98143 0.98143 0.98143 0xb0b0b0 1 0 0 \"0.98|3.70 ns\" ");
    free(settings);
    free(data);
    select_figure("register_length", &run, &settings, &data);
    assert_contains(data, "256 0.02 0.00666667 3 \"elut.table16_ymm.avx2\"\n\n\n# ",
                    "256 0.1 0.025 4 \"elut.table64_ymm.avx2\"");
    assert_contains(settings, "array line_title[2] = ['16 entries, g = 3', '64 entries, g = 4']");
    free(settings);
    free(data);
    select_figure("gamma", &run, &settings, &data);
    assert_lacks(data, "elut");
}

TEST(bars_take_the_best_of_each_sequence)
{
    freed char *settings, *data;
    MADE_RUN(
        run,
        "{'type':'gamma','name':'b.x.avx2','format':'b','accumulators':8,'bytes_per_vector':8,'usable':true,'best':"
        "true,"
        "'gamma':{'median':0.9,'ci95':[0.8,1]},'bound':'ports','claimed':1.25,'mca_gamma':0.85,'uops_per_vector':3,"
        "'uops_per_cycle':3.3,'knee':8.9},"
        "{'type':'gamma','name':'b.x.avx2','format':'b','accumulators':1,'bytes_per_vector':8,'best':false,"
        "'gamma':{'median':5}}");
    select_figure("gamma_bars", &run, &settings, &data);
    assert_contains(
        data,
        "1 0.9 0.8 1 1.25 0.85 0xd55e00 \"b.x.avx2\" \"0.900   3 uops, 3.30 per cycle   ports   knee 8.9\" 1.25\n");
    assert_contains(settings, "claimed = 1\npredicted = 1\nright = 1.25\nbars = 1\n");
}

TEST(streams_lie_on_the_axes_of_one_curve)
{
    freed char *settings, *data;
    select_records(
        "knee_validation",
        RECORDS(KNEE("int2.envelope.avx_vnni", "memory", 2, 0, 3.2, 1.6, 0.5, 0.25, 1),
                KNEE("int2.envelope.avx_vnni", "memory", 2, 2048, 3.2, 3.2, 0.5, 1, 0),
                KNEE("int2.envelope.avx_vnni", "L2", 2, 0, 32, 6.4, 5, 1, 0),
                "{'type':'knee','name':'tried','level':'memory','threads':2,'prefetch_bytes':512,'chosen':false,"
                "'bytes_per_vector':8,'knee':6.4,'beta':3,'e_bw':3,'distance':0.5},"
                "{'type':'knee','name':'hasty','level':'L2','threads':2,'prefetch_bytes':0,'chosen':true,"
                "'bytes_per_vector':4,'knee':6.4,'beta':3.2,'e_bw':6.4,'distance':0.5,'above_roof':true}"),
        &settings, &data);
    /* x, y, filled diamond, vermillion, level, threads, beta, knee, e_bw, overlap, name */
    assert_contains(data, "0.5 0.25 13 13983232 \"memory\" 2 3.2 6.4 1.6 0.25 \"int2.envelope.avx_vnni\"\n",
                    "5 1 5 13983232 \"L2\" 2 32 6.4 6.4 1 ");
    assert_contains(data, "0.5 1 4 40563 \"L2\" 2 3.2 6.4 6.4 nan \"hasty\"\n"); /* hollow, 1-bit */
    assert_contains(data, "overlap, sequence\n0.5 0.5 13 13983232 \"memory\" 2 3.2 6.4 3.2 1 ");
    assert_lacks(data, "tried");
    assert_contains(settings, "points_plain = 3\npoints_ahead = 1\ninvalid = 1\n");
    assert_contains(settings, "'no software prefetch: overlap 25% from memory', 'software prefetch: overlap 100% from "
                              "memory'"); /* from L2 one side is too small, or not valid */
    assert_contains(settings, "array colour_title[2] = ['2-bit', '1-bit']", "array level_title[2] = ['L2', 'memory']",
                    "x_low = 0.4\n");
}

TEST(streams_without_prefetch_alone_can_be_drawn)
{
    freed char *settings, *data;
    select_records("knee_validation", KNEE("int2.envelope.avx_vnni", "L3", 1, 0, 12.8, 6.4, 2, 1, 0), &settings, &data);
    assert_contains(data, "NaN NaN NaN NaN \"\"");
    assert_contains(settings, "points_ahead = 0\ninvalid = 0\n", "'software prefetch']");
}

TEST(a_team_is_a_point_of_each_family)
{
    freed char *settings, *data;
    select_records("thread_scaling", SMALL_RUN, &settings, &data);
    assert_contains(data, "1 10\n2 15\n"); /* the roof */
    assert_contains(data,
                    "\n2 1 8.192 \"int2.mask.avx_vnni\"\n"); /* 2*64*128 operations in 2 us, the fastest of ours */
    assert_contains(data, "\n2 1 4.096 \"int2.envelope.avx_vnni\"\n");
    assert_contains(settings, "lines = 2\n", "shape = '64×128'\nthreads_max = 2\n");
}

TEST(one_team_is_no_scaling)
{
    MADE_RUN(run, RECORDS(BETA(1, 10e9, 4.0, true),
                          GEMV("int2.mask.avx_vnni", "mask", 2.0, 64, 128, 1, "cold", 3e-6, 2.0, 0.8, 0.1)));
    assert_missing("thread_scaling", &run.view, "two numbers of threads");
}

/* As in a characterization, where the models of most papers are read by the widest team alone. */
TEST(shapes_of_the_widest_team_alone_are_no_lines)
{
    freed char *settings, *data;
    MADE_RUN(run, RECORDS(SMALL_RUN, GEMV("int2.mask.avx_vnni", "mask", 2.0, 64, 128, 1, "cold", 3e-6, 2.0, 0.8, 0.1),
                          GEMV("int2.mask.avx_vnni", "mask", 2.0, 4096, 128, 2, "cold", 9e-5, 2.7, 0.9, 0.1)));
    select_figure("thread_scaling", &run, &settings, &data);
    assert_contains(settings, "shape = '64×128'\n");
    free(settings);
    free(data);
    select_figure("gemv", &run, &settings, &data);
    assert_lacks(data, "4096");
    assert_lacks(settings, "4096");
}

TEST(missing_records_name_the_command)
{
    MADE_RUN(run, BETA(1, 10e9, 4.0, true));
    assert_missing("knee", &run.view,
                   "no 'gamma' records (`kneepoint gamma --into=results/machine/run` measures them)");
    assert_missing("gemv", &run.view, "kneepoint gemv");
    assert_missing("knee_validation", &run.view,
                   "no 'knee' records (`kneepoint knee --into=results/machine/run` measures them)");
}

TEST(useless_records_are_nothing_to_draw)
{
    char why[512], *settings, *data;
    MADE_RUN(run, "{'type':'beta','name':1},{'type':'gamma'},{'type':'gemv','m':-1,'threads':1e300},"
                  "{'type':'knee','chosen':true,'beta':-1,'e_bw':'x'}");
    const struct figure *figures[FIGURES_MAX];
    size_t count = figure_list(figures, FIGURES_MAX);
    assert_true(count >= 4);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(figure_select(figures[i], &run.view, &settings, &data, why, sizeof why), -ENODATA);
}

TEST(figures_stand_in_order_and_unknown_ones_are_refused)
{
    const struct figure *figures[FIGURES_MAX];
    size_t count = figure_list(figures, FIGURES_MAX);
    for (size_t i = 1; i < count; i++)
        assert_true(figures[i - 1]->rank <= figures[i]->rank);
    for (size_t i = 0; i < count; i++)
        assert_true(figures[i]->section > FIGURE_UNPLACED && figures[i]->section < FIGURE_SECTIONS);
    for (size_t i = 0; i < count; i++) /* what adds to a run makes no new one */
        assert_true(!figures[i]->measured_by || !strstr(figures[i]->measured_by, "--results"));
    assert_string_equal(figures[0]->name, "hero");
    assert_int_equal(figure_list(figures, 1), 1);
    assert_null(figure_find("style"));
    assert_null(figure_find(""));
    assert_true(figure_format_known("pdf"));
    assert_true(figure_format_known("tex"));
    assert_false(figure_format_known("gif"));
}

TEST(widths_have_their_own_colours)
{
    const double widths[] = {32, 16, 8, 4, 2.625, 2, 1.58, 1};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(figure_colour(widths[i]), figure_colour(widths[j]));
    }
}

TEST(gnuplot_strings_cannot_be_left)
{
    freed char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    gnuplot_write_string(out, "a'; system 'b\n`c`");
    gnuplot_write_field(out, "q\"\\n\n");
    /* cut within a character, and U+FFFE, which no XML may have */
    gnuplot_write_string(out, "é]]>\303");
    gnuplot_write_field(out, "β\357\277\276x\342\202");
    gnuplot_end_block(out, false, 2, 1);
    fclose(out);
    assert_string_equal(text, "'a’; system ’b ’c’'\"q'/n \"'é]] > '\"β   x  \"NaN NaN \"\"\n\n\n");
}

RUN_TESTS(NULL, NULL)
