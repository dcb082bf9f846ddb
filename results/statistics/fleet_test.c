/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "results/statistics/fleet.h"
#include "results/statistics/resample.h"
#include "unit_test.h"

enum { MOST = 64 };

/* Values without intervals. */
static struct fleet_spread spread_of(const double *number, size_t count, struct fleet_value *values)
{
    struct fleet_spread spread;
    for (size_t i = 0; i < count; i++)
        values[i] = (struct fleet_value){.value = number[i], .ci95 = {NAN, NAN}};
    assert_int_equal(fleet_spread_of(values, count, &spread), 0);
    return spread;
}

/* Which are off, a bit each. */
static unsigned off(const double *number, size_t count)
{
    struct fleet_value values[MOST];
    struct fleet_spread spread = spread_of(number, count, values);
    unsigned set = 0;
    for (size_t i = 0; i < count; i++)
        set |= fleet_is_off(&values[i], &spread) ? 1U << i : 0;
    return set;
}
#define OFF(...) off((const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

TEST(more_than_three_deviations_to_either_side)
{
    /* median 100, deviations 0 0 2 2 4 4 20 20: their median is 3 */
    assert_int_equal(OFF(96, 98, 100, 102, 104, 80, 100, 120), 1U << 5 | 1U << 7);
    /* median 100, deviation 2: 106 is three of them, 106.1 more */
    assert_int_equal(OFF(98, 100, 102, 98, 106), 0);
    assert_int_equal(OFF(98, 100, 102, 98, 106.1), 1U << 4);
    assert_int_equal(OFF(102, 100, 98, 102, 93.9), 1U << 4);
    assert_int_equal(OFF(-98, -100, -102, -98, -106.1), 1U << 4);
}

TEST(less_than_four_machines_say_nothing)
{
    assert_int_equal(OFF(1), 0);
    assert_int_equal(OFF(100, 100, 1), 0);
    assert_int_equal(OFF(100, 100, 100, NAN, NAN, 1), 1U << 5);
    assert_int_equal(OFF(100, 100, NAN, NAN, 1), 0);
}

TEST(where_most_agree_one_percent_decides)
{
    assert_int_equal(OFF(100, 100, 100, 100), 0);
    assert_int_equal(OFF(100, 100, 100, 100, 100.9), 0);
    assert_int_equal(OFF(100, 100, 100, 100, 101.1), 1U << 4);
    assert_int_equal(OFF(0, 0, 0, 0, 1e-9), 1U << 4);
}

TEST(less_than_one_percent_is_never_off)
{
    assert_int_equal(OFF(1.2500, 1.2501, 1.2499, 1.2502, 1.2498, 1.2600), 0);
    assert_int_equal(OFF(1.2500, 1.2501, 1.2499, 1.2502, 1.2498, 1.2700), 1U << 5);
}

TEST(a_value_as_uncertain_as_it_is_far_is_not_off)
{
    struct fleet_value values[5];
    struct fleet_spread spread = spread_of((const double[]){98, 100, 102, 99, 120}, 5, values);
    assert_true(fleet_is_off(&values[4], &spread));
    values[4].ci95[0] = 99;
    values[4].ci95[1] = 140;
    assert_false(fleet_is_off(&values[4], &spread));
    values[4].ci95[0] = 101;
    assert_true(fleet_is_off(&values[4], &spread));
    values[4].ci95[0] = NAN;
    assert_true(fleet_is_off(&values[4], &spread));
}

TEST(what_is_not_there_does_not_count)
{
    struct fleet_value values[5];
    struct fleet_spread spread = spread_of((const double[]){NAN, 1, INFINITY, 3, 2}, 5, values);
    assert_int_equal(spread.n, 3);
    assert_true(spread.median == 2 && spread.mad == 1);
    assert_false(fleet_is_off(&values[0], &spread) || fleet_is_off(&values[2], &spread));
    spread = spread_of((const double[]){NAN}, 1, values);
    assert_true(spread.n == 0 && isnan(spread.median) && isnan(spread.mad));
    spread = spread_of((const double[]){0}, 0, values);
    assert_int_equal(spread.n, 0);
}

TEST(deviations_have_a_sign)
{
    struct fleet_spread spread = {.n = 5, .median = 100, .mad = 2};
    assert_true(fleet_deviations(94, &spread) == -3);
    assert_true(fleet_deviations(100, &spread) == 0);
    spread.mad = 0;
    assert_true(isinf(fleet_deviations(101, &spread)) && fleet_deviations(99, &spread) < 0);
    assert_true(fleet_deviations(100, &spread) == 0);
}

static double normal(struct resample_random *random)
{
    double u = ((double)(resample_next(random) >> 11) + 0.5) * 0x1p-53;
    double v = ((double)(resample_next(random) >> 11) + 0.5) * 0x1p-53;
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

/* What the header says of values that only scatter. */
TEST(how_many_of_a_normal_fleet_are_off)
{
    static const struct {
        size_t machines;
        double share;
    } said[] = {{4, 0.10}, {8, 0.09}, {64, 0.05}};
    struct resample_random random = {7};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        size_t fleets = 160000 / said[i].machines, count = 0;
        for (size_t fleet = 0; fleet < fleets; fleet++) {
            struct fleet_value values[MOST];
            double number[MOST];
            for (size_t m = 0; m < said[i].machines; m++)
                number[m] = 100 + 10 * normal(&random);
            struct fleet_spread spread = spread_of(number, said[i].machines, values);
            for (size_t m = 0; m < said[i].machines; m++)
                count += fleet_is_off(&values[m], &spread);
        }
        double share = (double)count / (double)(fleets * said[i].machines);
        if (fabs(share - said[i].share) > 0.005)
            fail_msg("%zu machines: %g off, not %g", said[i].machines, share, said[i].share);
    }
}

RUN_TESTS(NULL, NULL)
