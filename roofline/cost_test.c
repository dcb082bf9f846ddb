/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What tokens cost, against Table 3 of mixed-2-4-16.
 */
#include <math.h>

#include "roofline/cost.h"
#include "unit_test.h"

#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

static const double ELECTRICITY = 0.09, A100 = 0.285, RTX_3090 = 0.034, RTX_2080 = 0.016;

/* A row of Table 3 with its model's base: what it states, and whether the powers as printed make that of it. */
struct row {
    struct cost_system base, system;
    double runtime, total;
    int runtime_holds, total_holds;
};

/* The tolerance of each is the rounding of its powers to 10 W, of prices to a thousandth and of what is stated. */
TEST(the_rows_of_table_3_follow_from_its_powers_and_rates)
{
    const struct row rows[] = {
        {{1, 290, RTX_3090, 25.9}, {1, 320, RTX_3090, 37.5}, 1.31, 1.12, 1, 1},
        {{1, 290, RTX_3090, 25.9}, {1, 350, RTX_3090, 45.2}, 1.44, 1.16, 1, 1},
        {{1, 290, RTX_3090, 25.9}, {1, 150, RTX_2080, 34.0}, 2.53, 2.29, 1, 1},
        {{2, 240, RTX_3090, 22.0}, {1, 270, RTX_3090, 23.1}, 1.89, 1.95, 0, 1},
        {{2, 240, RTX_3090, 22.0}, {1, 250, RTX_3090, 25.0}, 2.19, 2.07, 1, 1},
        {{2, 400, A100, 38.5}, {1, 400, A100, 46.5}, 2.42, 2.04, 1, 1},
        {{2, 400, A100, 38.5}, {1, 400, A100, 50.5}, 2.62, 2.06, 1, 1},
        {{1, 290, RTX_3090, 26.5}, {1, 350, RTX_3090, 48.2}, 1.51, 1.22, 1, 0},
        {{1, 290, RTX_3090, 26.5}, {1, 150, RTX_2080, 34.0}, 2.61, 2.36, 0, 0},
        {{1, 350, RTX_3090, 32.5}, {1, 350, RTX_3090, 40.0}, 1.23, 1.09, 1, 1},
        {{1, 350, RTX_3090, 32.5}, {1, 170, RTX_2080, 45.5}, 2.88, 2.44, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double runtime = cost_runtime_reduction(&rows[i].base, &rows[i].system),
                     by_hour = cost_total_reduction(&rows[i].base, &rows[i].system, ELECTRICITY, COST_BY_HOUR),
                     by_token = cost_total_reduction(&rows[i].base, &rows[i].system, ELECTRICITY, COST_BY_TOKEN);
        assert_int_equal(fabs(runtime / rows[i].runtime - 1) < 0.007, rows[i].runtime_holds);
        assert_int_equal(fabs(by_hour / rows[i].total - 1) < 0.01, rows[i].total_holds);
        /* a faster system has the more to gain if its hours are its own */
        assert_true(by_token > by_hour);
    }
}

TEST(a_token_costs_its_energy_and_its_share_of_the_hardware)
{
    /* 100 and 20 J a token, and hardware for a tenth and a twentieth of a second */
    const struct cost_system base = {2, 500, 0.5, 10}, system = {1, 400, 0.2, 20};
    const double energy = 1e-5, hardware = 2 * 0.5 / 3600 / 10;
    assert_near(cost_runtime_reduction(&base, &system), 5, 1e-12);
    assert_near(cost_total_reduction(&base, &system, 0.36, COST_BY_TOKEN),
                (energy + hardware) / (energy / 5 + 0.2 / 3600 / 20), 1e-9);
    assert_near(cost_total_reduction(&base, &system, 0.36, COST_BY_HOUR),
                (energy + hardware) / (energy / 5 + 0.2 / 3600 / 10), 1e-9);
    assert_near(cost_total_reduction(&base, &system, 0, COST_BY_TOKEN), 10, 1e-9);
    assert_near(cost_total_reduction(&system, &system, 0.1, COST_BY_HOUR), 1, 1e-12);
}

TEST(what_is_not_known_has_no_cost)
{
    const struct cost_system system = {1, 300, 0.03, 20};
    const struct cost_system wrong[] = {{0, 300, 0.03, 20}, {1, 0, 0.03, 20},         {1, 300, -1, 20},
                                        {1, 300, 0.03, 0},  {1, 300, 0.03, INFINITY}, {1, NAN, 0.03, 20},
                                        {1, 300, NAN, 20},  {1, 300, 0.03, NAN}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_true(isnan(cost_runtime_reduction(&system, &wrong[i])));
        assert_true(isnan(cost_total_reduction(&wrong[i], &system, 0.09, COST_BY_HOUR)));
        assert_true(isnan(cost_total_reduction(&system, &wrong[i], 0.09, COST_BY_TOKEN)));
    }
    assert_true(isnan(cost_total_reduction(&system, &system, -0.09, COST_BY_HOUR)));
}

RUN_TESTS(NULL, NULL)
