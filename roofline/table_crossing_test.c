/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "roofline/table_crossing.h"
#include "unit_test.h"

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.12g is not %.12g", value, expected);
}

TEST(a_table_has_a_sum_of_each_group)
{
    static const double cases[][3] = {{3, 2, 9}, {3, 3, 27}, {4, 2, 16}, {5, 2, 25}, {2, 4, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_near(table_crossing_sums(cases[i][0], cases[i][1]), cases[i][2]);
}

TEST(the_measured_one_is_between_its_neighbours)
{
    static const struct table_crossing_point points[] = {{256, 8e-6}, {64, 2e-6}, {128, 4e-6}};
    bool within = false;
    assert_near(table_crossing_measured(points, 3, 5e-6, &within), 160);
    assert_true(within);
    assert_near(table_crossing_measured(points, 3, 4e-6, NULL), 128);
    assert_near(table_crossing_measured(points, 3, 1e-6, &within), 32);
    assert_false(within);
    assert_near(table_crossing_measured(points, 3, 16e-6, &within), 512);
    assert_false(within);
    /* one that is off by noise: of the points that take no longer the one of most rows counts */
    static const struct table_crossing_point noisy[] = {{64, 5e-6}, {128, 4e-6}, {256, 8e-6}};
    assert_near(table_crossing_measured(noisy, 3, 6e-6, &within), 192);
    assert_true(within);
}

TEST(what_is_out_of_range_is_no_number)
{
    static const struct table_crossing_point point = {64, 2e-6}, none = {64, 0};
    assert_true(isnan(table_crossing_sums(1, 2)));
    assert_true(isnan(table_crossing_sums(3, 0.5)));
    assert_true(isnan(table_crossing_measured(&point, 0, 1e-6, NULL)));
    assert_true(isnan(table_crossing_measured(&point, 1, 0, NULL)));
    assert_true(isnan(table_crossing_measured(&point, 1, NAN, NULL)));
    assert_true(isnan(table_crossing_measured(&none, 1, 1e-6, NULL)));
}

RUN_TESTS(NULL, NULL)
