/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/figure.h"

#include <errno.h>

#include "reports/gnuplot.h"
#include "reports/testing.h"

/* Select for a figure that must succeed; caller frees. */
static void select_figure(const char *name, struct made_run *run, char **settings, char **data)
{
    char why[512] = "";
    assert_non_null(figure_find(name));
    int error = figure_select(figure_find(name), &run->view, settings, data, why, sizeof why);
    if (error)
        fail_msg("%s: %d %s", name, error, why);
}

static void knee_has_lines_that_bend_at_the_knee_and_points_on_the_largest_team(void **state)
{
    (void)state;
    struct made_run run;
    char *settings, *data;
    make_run(&run, "{}", SMALL_RUN);
    select_figure("knee", &run, &settings, &data);
    assert_contains(data, "4 \"1 threads\"\n3 \"2 threads\"");
    assert_contains(data, "0 0\n6.4 6.4\n7.5 6.4\n");
    assert_contains(data, "0 0\n7.5 7.5\n"); /* 2.5 times the beta of the largest team; the knee at 16 lies beyond */
    assert_contains(
        data,
        "1 3 1.5 1.5 1.5 3 \"64×128\" \"int2.paper.avx_vnni\"\n"); /* place, beta of two threads, measured, modelled */
    assert_contains(data, "2 3 2.7 2.7 2.7 3 \"64×128\" \"int2.mask.avx_vnni\"\n");
    assert_contains(settings, "lines = 2\n");
    assert_contains(settings, "'2-bit, paper, avx_vnni ×4: 6.4', '2-bit, ours, avx_vnni ×8: 16'");
    assert_contains(settings, "clouds = 2\n");
    free(settings);
    free(data);
    free_run(&run);
}

static void knee_shows_the_paper_as_published_and_the_reference_shape(void **state)
{
    (void)state;
    struct made_run run;
    char *settings, *data;
    make_run(&run, "{}",
             SMALL_RUN "," GAMMA("int2.paper.avx512", "paper", 8.0, 12, 0.8, null, true) "," GEMV(
                 "int2.mask.avx_vnni", "mask", 2.0, 4096, 4096, 2, "cold", 2e-4, 2.9, 0.9,
                 0.1) ","
                      "{'type':'gemv','name':'hasty','sequence':'mask','bits':2.0,'m':4096,'k':4096,'threads':2,'"
                      "protocol':'cold',"
                      "'time_s':1e-9,'bytes_per_cycle_per_core':99,'above_roof':true}");
    select_figure("knee", &run, &settings, &data);
    assert_contains(
        settings,
        "'2-bit, paper, avx_vnni ×12: 10', '2-bit, ours, avx_vnni ×8: 16', '2-bit, as published, avx_vnni ×4: 6.4'");
    assert_contains(settings, "array line_width[3] = [2.2, 2.2, 1.2]");
    assert_contains(data, "2 3 2.9 2.7 2.9 3 \"64×128\" \"int2.mask.avx_vnni\""); /* the dot is 4096x4096 */
    free(settings);
    free(data);
    free_run(&run);
}

static void padded_matrices_stay_in_the_family_of_their_format(void **state)
{
    (void)state;
    struct made_run run;
    char *settings, *data;
    make_run(&run, "{}",
             "{'type':'gemv','name':'a','format_bits':1,'bits':1.2,'m':320,'k':1600,'threads':1,'protocol':'cold','"
             "time_s':1e-5,"
             "'bytes_per_s':2e9,'roof_bytes_per_s':3e9},"
             "{'type':'gemv','name':'a','format_bits':1,'bits':1.0,'m':512,'k':2048,'threads':1,'protocol':'cold','"
             "time_s':1e-5,"
             "'bytes_per_s':9e9,'roof_bytes_per_s':4e9,'above_roof':true}");
    select_figure("gemv", &run, &settings, &data);
    assert_contains(settings, "array bar_title[1] = ['1-bit, ours']");
    assert_contains(settings, "invalid = 1\n");
    assert_contains(data, " 2 3 2 nan \"320x1600\"");
    assert_contains(data, " 9 4 nan 9 \"512x2048\""); /* above the roof: hollow */
    free(settings);
    free(data);
    free_run(&run);
}

static void knee_without_gemv_has_no_clouds(void **state)
{
    (void)state;
    struct made_run run;
    char *settings, *data;
    make_run(&run, "{}", BETA(1, 10e9, 4.0, true) "," GAMMA("a", "mask", 8.0, 8, 0.5, null, true));
    select_figure("knee", &run, &settings, &data);
    assert_contains(settings, "clouds = 0\n");
    assert_contains(settings, "cloud_title[1] = ['']"); /* gnuplot has no empty array */
    free(settings);
    free(data);
    free_run(&run);
}

static void gemv_shows_the_fastest_kernel_of_a_family(void **state)
{
    (void)state;
    struct made_run run;
    char *settings, *data;
    make_run(&run, "{}",
             SMALL_RUN ",{'type':'gemv','name':'faster','sequence':'other','bits':2.0,'m':64,'k':128,'threads':2,"
                       "'protocol':'cold','time_s':1e-7,'bytes_per_s':{'median':2.5e9}}");
    select_figure("gemv", &run, &settings, &data);
    assert_contains(data, " 2.5 nan 2.5 nan \"64x128\" \"faster\"");
    assert_lacks(data, "int2.mask.avx_vnni");
    assert_contains(settings, "shapes = 1\n");
    assert_contains(settings, "model_title[1] = 'model-a'");
    assert_contains(settings, "panel_roof[2] = 15\n");
    assert_contains(data, "NaN NaN"); /* nothing was run with one thread */
    free(settings);
    free(data);
    free_run(&run);
}

static void roofline_ceiling_follows_from_gamma_and_clock(void **state)
{
    (void)state;
    struct made_run run;
    char *settings, *data;
    make_run(&run, "{}",
             BETA(2, 15e9, 3.0, true) "," GAMMA("p", "paper", 8.0, 4, 1.25, 1.25,
                                                true) ","
                                                      "{'type':'gemv','name':'p','sequence':'paper','bits':2,'m':64,'k'"
                                                      ":128,'threads':2,'protocol':'cold','time_s':2e-6,"
                                                      "'bytes_per_s':8e9,'bytes_per_cycle_per_core':2},"
                                                      "{'type':'gemv','name':'hasty','sequence':'paper','bits':2,'m':"
                                                      "64,'k':128,'threads':2,'protocol':'cold',"
                                                      "'time_s':1e-9,'above_roof':true}");
    select_figure("roofline", &run, &settings, &data);
    /* 64 operations / 1.25 cycles at the 2.0 GHz of the cell on 2 cores = 204.8 Gop/s, around 8 operations per byte */
    assert_contains(data, "5 204.8\n12.8 204.8\n");
    assert_contains(data, "1 15\n32 480\n"); /* the slope of 15 GB/s */
    assert_contains(data, " 8.192 ");        /* 2 * 64 * 128 operations in 2 us */
    assert_lacks(data, "hasty");
    free(settings);
    free(data);
    free_run(&run);
}

static void gamma_marks_a_claim_once(void **state)
{
    (void)state;
    struct made_run run;
    char *settings, *data;
    make_run(&run, "{}", SMALL_RUN);
    select_figure("gamma", &run, &settings, &data);
    assert_contains(data, "claimed by the paper, 2-bit\n4 1.25\n\n\n");
    assert_contains(data, "1 5 0 0 \"latency\" \"int2.paper.avx_vnni\"\n4 1.25");
    assert_contains(settings, "panels = 1\n");
    assert_contains(settings, "array panel_claims[1] = [1]");
    free(settings);
    free(data);
    free_run(&run);
}

static void missing_records_name_the_command(void **state)
{
    (void)state;
    struct made_run run;
    char why[512], *settings, *data;
    make_run(&run, "{}", BETA(1, 10e9, 4.0, true));
    assert_int_equal(figure_select(figure_find("knee"), &run.view, &settings, &data, why, sizeof why), -ENODATA);
    assert_contains(why, "no 'gamma' records (`kneepoint gamma` measures them)");
    assert_null(settings);
    assert_null(data);
    assert_int_equal(figure_select(figure_find("gemv"), &run.view, &settings, &data, why, sizeof why), -ENODATA);
    assert_contains(why, "kneepoint gemv");
    free_run(&run);
}

static void useless_records_are_nothing_to_draw(void **state)
{
    (void)state;
    struct made_run run;
    char why[512], *settings, *data;
    make_run(&run, "{}", "{'type':'beta','name':1},{'type':'gamma'},{'type':'gemv','m':-1,'threads':1e300}");
    const struct figure *figures[FIGURES_MAX];
    size_t count = figure_list(figures, FIGURES_MAX);
    assert_true(count >= 4);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(figure_select(figures[i], &run.view, &settings, &data, why, sizeof why), -ENODATA);
    free_run(&run);
}

static void figures_stand_in_order_and_unknown_ones_are_refused(void **state)
{
    (void)state;
    const struct figure *figures[FIGURES_MAX];
    size_t count = figure_list(figures, FIGURES_MAX);
    for (size_t i = 1; i < count; i++)
        assert_true(figures[i - 1]->rank <= figures[i]->rank);
    assert_string_equal(figures[0]->name, "knee");
    assert_int_equal(figure_list(figures, 1), 1);
    assert_null(figure_find("style"));
    assert_null(figure_find(""));
    assert_true(figure_format_known("pdf"));
    assert_false(figure_format_known("gif"));
}

static void widths_have_their_own_colours(void **state)
{
    (void)state;
    const double widths[] = {8, 4, 2, 1.58, 1};
    for (size_t i = 0; i < 5; i++) {
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(figure_colour(widths[i]), figure_colour(widths[j]));
    }
}

static void gnuplot_strings_cannot_be_left(void **state)
{
    (void)state;
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    gnuplot_write_string(out, "a'; system 'b\n`c`");
    gnuplot_write_field(out, "q\"\\n\n");
    fclose(out);
    assert_string_equal(text, "'a’; system ’b ’c’'\"q'/n \"");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knee_has_lines_that_bend_at_the_knee_and_points_on_the_largest_team),
        cmocka_unit_test(knee_shows_the_paper_as_published_and_the_reference_shape),
        cmocka_unit_test(padded_matrices_stay_in_the_family_of_their_format),
        cmocka_unit_test(knee_without_gemv_has_no_clouds),
        cmocka_unit_test(gemv_shows_the_fastest_kernel_of_a_family),
        cmocka_unit_test(roofline_ceiling_follows_from_gamma_and_clock),
        cmocka_unit_test(gamma_marks_a_claim_once),
        cmocka_unit_test(missing_records_name_the_command),
        cmocka_unit_test(useless_records_are_nothing_to_draw),
        cmocka_unit_test(figures_stand_in_order_and_unknown_ones_are_refused),
        cmocka_unit_test(widths_have_their_own_colours),
        cmocka_unit_test(gnuplot_strings_cannot_be_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
