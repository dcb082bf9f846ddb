/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the figure of cold GEMVs says of the model's residuals.
 */
#include "reports/draw/figure_testing.h"

#define CELL(side, origin, protocol, residuals)                                                                        \
    "{'type':'gemv','name':'a.mask.avx2','format':'a','origin':'" origin "','bits':2.0,'m':" #side                     \
    ",'k':2048,'threads':1,'protocol':'" protocol "','time_s':1e-5,'bytes_per_s':3e10" residuals "}"
#define BOTH(max, overlap) ",'residual':" #max ",'residual_overlap':" #overlap
#define SEEN               ",'held_out':false,'residual':0.9,'residual_overlap':0.9"

/** Five cells that count; nothing of the others does. */
#define FIVE                                                                                                           \
    RECORDS(CELL(1024, "kneepoint", "cold", BOTH(0.10, -0.01)), CELL(1025, "kneepoint", "cold", BOTH(-0.12, 0.02)),    \
            CELL(1026, "kneepoint", "cold", BOTH(0.14, 0.03)), CELL(1027, "kneepoint", "cold", BOTH(0.14, 0.03)),      \
            CELL(1028, "kneepoint", "cold", BOTH(0.14, 0.03)), CELL(1029, "envelope", "cold", BOTH(0.9, 0.9)),         \
            CELL(64, "kneepoint", "cold", BOTH(0.9, 0.9)), CELL(1024, "kneepoint", "warm", BOTH(0.9, 0.9)),            \
            CELL(4096, "kneepoint", "cold", SEEN))

TEST(both_models_have_median_and_90th_percentile_of_the_same_cells)
{
    freed char *settings, *data;
    select_records("gemv",
                   RECORDS(FIVE, CELL(1030, "kneepoint", "cold", BOTH(0.3, 0.08)),
                           CELL(1031, "kneepoint", "cold", ",'residual':0.8,'residual_overlap':null")),
                   &settings, &data);
    assert_contains(settings, "residual_rows = 2\nresidual_max = 30\n");
    assert_contains(data, "\n1 14 30 \"max\" \"median 14.0%, 90th percentile 30.0%, n = 6\"\n",
                    "\n2 3 8 \"with ω\" \"median 3.0%, 90th percentile 8.0%, n = 6\"\n");
    assert_contains(figure_find("gemv")->caption, "held out");
}

TEST(of_five_cells_nothing_is_said)
{
    freed char *settings, *data;
    select_records("gemv", FIVE, &settings, &data);
    assert_contains(data, "\n1 0 0 \"max\" \"not known: n = 5, 6 needed\"\n",
                    "\n2 0 0 \"with ω\" \"not known: n = 5, 6 needed\"\n");
}

TEST(a_run_from_before_omega_has_max_alone)
{
    freed char *settings, *data;
    select_records("gemv", CELL(1024, "kneepoint", "cold", ",'residual':0.1"), &settings, &data);
    assert_contains(settings, "residual_rows = 1\n");
    assert_contains(data, "\"max\" \"not known: n = 1, 6 needed\"\n");
    assert_lacks(data, "with ω");
}

TEST(a_run_without_residuals_has_no_strip)
{
    freed char *settings, *data;
    select_records("gemv", CELL(1024, "kneepoint", "cold", ""), &settings, &data);
    assert_contains(settings, "residual_rows = 0\n", "strip = 0\n");
    assert_lacks(data, "\"max\"");
}

RUN_TESTS(NULL, NULL)
