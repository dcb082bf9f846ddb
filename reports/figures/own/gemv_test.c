/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the figure of cold GEMVs says of the model's residuals.
 */
#include "reports/draw/figure.h"
#include "reports/select/run/testing.h"

#define CELL(side, origin, protocol, residuals)                                                                        \
    "{'type':'gemv','name':'a.mask.avx2','format':'a','origin':'" origin "','bits':2.0,'m':" #side                     \
    ",'k':2048,'threads':1,'protocol':'" protocol "','time_s':1e-5,'bytes_per_s':3e10" residuals "}"
#define BOTH(max, overlap) ",'residual':" #max ",'residual_overlap':" #overlap
#define SEEN               ",'held_out':false,'residual':0.9,'residual_overlap':0.9"

/** Five cells that count; nothing of the others does. */
#define FIVE                                                                                                               \
    CELL(1024, "kneepoint", "cold", BOTH(0.10, -0.01))                                                                     \
    "," CELL(1025, "kneepoint", "cold", BOTH(-0.12, 0.02)) "," CELL(1026, "kneepoint", "cold", BOTH(0.14, 0.03)) "," CELL( \
        1027, "kneepoint", "cold",                                                                                         \
        BOTH(0.14,                                                                                                         \
             0.03)) "," CELL(1028, "kneepoint", "cold",                                                                    \
                             BOTH(                                                                                         \
                                 0.14,                                                                                     \
                                 0.03)) "," CELL(1029, "envelope", "cold",                                                 \
                                                 BOTH(                                                                     \
                                                     0.9,                                                                  \
                                                     0.9)) "," CELL(64, "kneepoint", "cold",                               \
                                                                    BOTH(                                                  \
                                                                        0.9,                                               \
                                                                        0.9)) "," CELL(1024, "kneepoint", "warm",          \
                                                                                       BOTH(                               \
                                                                                           0.9,                            \
                                                                                           0.9)) "," CELL(4096,            \
                                                                                                          "kneepoint",     \
                                                                                                          "cold",          \
                                                                                                          SEEN)

static void select_of(const char *lines, char **settings, char **data)
{
    struct made_run run;
    char why[512] = "";
    make_run(&run, "{}", lines);
    assert_int_equal(figure_select(figure_find("gemv"), &run.view, settings, data, why, sizeof why), 0);
    free_run(&run);
}

static void both_models_have_median_and_90th_percentile_of_the_same_cells(void **state)
{
    (void)state;
    char *settings, *data;
    select_of(FIVE "," CELL(1030, "kneepoint", "cold", BOTH(0.3, 0.08)) "," CELL(
                  1031, "kneepoint", "cold", ",'residual':0.8,'residual_overlap':null"),
              &settings, &data);
    assert_contains(settings, "residual_rows = 2\nresidual_max = 30\n");
    assert_contains(data, "\n1 14 30 \"max\" \"median 14.0%, 90th percentile 30.0%, n = 6\"\n");
    assert_contains(data, "\n2 3 8 \"with ω\" \"median 3.0%, 90th percentile 8.0%, n = 6\"\n");
    assert_contains(figure_find("gemv")->caption, "held out");
    free(settings);
    free(data);
}

static void of_five_cells_nothing_is_said(void **state)
{
    (void)state;
    char *settings, *data;
    select_of(FIVE, &settings, &data);
    assert_contains(data, "\n1 0 0 \"max\" \"not known: n = 5, 6 needed\"\n");
    assert_contains(data, "\n2 0 0 \"with ω\" \"not known: n = 5, 6 needed\"\n");
    free(settings);
    free(data);
}

static void a_run_from_before_omega_has_max_alone(void **state)
{
    (void)state;
    char *settings, *data;
    select_of(CELL(1024, "kneepoint", "cold", ",'residual':0.1"), &settings, &data);
    assert_contains(settings, "residual_rows = 1\n");
    assert_contains(data, "\"max\" \"not known: n = 1, 6 needed\"\n");
    assert_lacks(data, "with ω");
    free(settings);
    free(data);
}

static void a_run_without_residuals_has_no_strip(void **state)
{
    (void)state;
    char *settings, *data;
    select_of(CELL(1024, "kneepoint", "cold", ""), &settings, &data);
    assert_contains(settings, "residual_rows = 0\n");
    assert_contains(settings, "strip = 0\n");
    assert_lacks(data, "\"max\"");
    free(settings);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_models_have_median_and_90th_percentile_of_the_same_cells),
        cmocka_unit_test(of_five_cells_nothing_is_said),
        cmocka_unit_test(a_run_from_before_omega_has_max_alone),
        cmocka_unit_test(a_run_without_residuals_has_no_strip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
