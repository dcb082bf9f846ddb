/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "roofline/ebw.h"
#include "roofline/overlap.h"
#include "unit_test.h"

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fmax(1, fabs(expected))))
        fail_msg("%.17g is not %.17g", value, expected);
}

static struct overlap_measured exactly(double value)
{
    return (struct overlap_measured){value, interval_point(value)};
}

static struct overlap_measured within(double value, double share)
{
    return (struct overlap_measured){value, {value * (1 - share), value * (1 + share)}};
}

TEST(ends_of_omega_are_the_longer_and_the_sum)
{
    assert_near(overlap_time(3, 2, 1), 3);
    assert_near(overlap_time(2, 3, 1), 3);
    assert_near(overlap_time(3, 2, 0), 5);
    assert_near(overlap_time(3, 2, 0.25), 4.5);
    assert_near(overlap_time(3, 0, 0.25), 3);
    /* as measured, not clamped */
    assert_near(overlap_time(3, 2, -0.5), 6);
    assert_near(overlap_time(3, 2, 1.25), 2.5);
}

TEST(time_is_nan_out_of_range)
{
    assert_true(isnan(overlap_time(-1, 2, 0.5)));
    assert_true(isnan(overlap_time(1, -2, 0.5)));
    assert_true(isnan(overlap_time(NAN, 2, 0.5)));
    assert_true(isnan(overlap_time(1, NAN, 0.5)));
    assert_true(isnan(overlap_time(1, 2, NAN)));
    assert_true(isnan(overlap_time(INFINITY, 2, 0.5)));
    assert_true(isnan(overlap_time(1, 2, INFINITY)));
    assert_true(isnan(overlap_team_time(2, NAN, 1, 2, 0.5)));
    assert_true(isnan(overlap_team_time(2, -1, 1, 2, 0.5)));
    assert_true(isnan(overlap_team_time(2, 1, NAN, 2, 0.5)));
    assert_true(isnan(overlap_team_time(0, 1, 1, 2, 0.5)));
}

TEST(a_team_is_held_by_its_cores_or_by_what_it_shares)
{
    /* memory that gives each core of the team what it gives one alone: the time of one core */
    assert_near(overlap_team_time(2, 3, 3, 2, 0.25), overlap_time(3, 2, 0.25));
    assert_near(overlap_team_time(16, 3, 3, 2, 0.25), overlap_time(3, 2, 0.25));
    /* reading hides all computing, so that all members read all the time */
    assert_near(overlap_team_time(2, 5, 3, 2, 1), 5);
    assert_near(overlap_team_time(16, 30, 3, 2, 1), 30);
    /* one that computes for long meets hardly anybody who reads */
    assert_near(overlap_team_time(2, 5, 3, 1e9, 0) / (1e9 + 3), 1);
    assert_near(overlap_team_time(1, 3, 3, 2, 0.5), overlap_time(3, 2, 0.5));
    assert_near(overlap_team_time(2, 0, 0, 2, 0.5), 2);
}

/* Of two, each reads at 1/3 while the other computes and at 1/4 while it reads: T = u + x, x ((1 - u/T) / 4 + (u/T) / 3) = 1. */
TEST(a_core_reads_faster_while_others_compute)
{
    double u = 1, x = 2 * (1 - u / 3 + sqrt((1 - u / 3) * (1 - u / 3) + 4 * u / 4));
    assert_near(overlap_team_time(2, 4, 3, 2, 0.5), u + x);
    assert_true(u + x > 4 && u + x < 4 + u);
    /* of many, the bandwidth is shared among those that read: 15 others for 1 - u/T of the time */
    double time = overlap_team_time(16, 32, 3, 8, 0.5), others = 15 * (1 - 6.5 / time);
    double mean = 1 + others, whole = floor(mean);
    double rate = (1 - (mean - whole)) * 16 / (32 * whole) + (mean - whole) * 16 / (32 * (whole + 1));
    assert_near((time - 6.5) * rate, 1);
    assert_true(time > 32 && time < 32 + 6.5);
}

TEST(omega_of_a_time_gives_that_time)
{
    for (int i = -5; i <= 15; i++) {
        double omega = i / 10.0, time = overlap_time(3e-6, 2e-6, omega);
        struct overlap_fit fit = overlap_fit(exactly(time), exactly(3e-6), exactly(2e-6));
        assert_near(fit.omega, omega);
        assert_near(fit.range.low, omega);
        assert_near(fit.range.high, omega);
    }
}

/* Of the longer side an interval moves omega by itself over the shorter, of the shorter by (1 - omega) of itself. */
TEST(intervals_are_propagated)
{
    double time = overlap_time(3, 2, 0.6);
    struct overlap_fit fit = overlap_fit(within(time, 0.01), exactly(3), exactly(2));
    assert_near(fit.omega - fit.range.low, time * 0.01 / 2);
    assert_near(fit.range.high - fit.omega, time * 0.01 / 2);
    fit = overlap_fit(exactly(time), within(3, 0.01), exactly(2));
    assert_near(fit.range.high - fit.omega, 0.03 / 2);
    struct overlap_fit both = overlap_fit(within(time, 0.01), within(3, 0.01), exactly(2));
    assert_near(both.range.high - both.omega, hypot(time * 0.01 / 2, 0.03 / 2));
    fit = overlap_fit(exactly(time), exactly(3), within(2, 0.1));
    assert_true(fit.range.low < fit.omega && fit.range.high > fit.omega && fit.range.high < 0.7);
}

TEST(an_interval_on_one_side_stays_there)
{
    double time = overlap_time(3, 2, 0.6);
    struct overlap_fit fit = overlap_fit((struct overlap_measured){time, {time, time + 0.2}}, exactly(3), exactly(2));
    assert_near(fit.range.high, fit.omega);
    assert_near(fit.range.low, fit.omega - 0.1);
}

TEST(omega_is_nan_where_nothing_can_be_said)
{
    struct overlap_fit fit = overlap_fit(exactly(3), exactly(3), exactly(0.01)); /* under 2% of the other */
    assert_true(isnan(fit.omega) && isnan(fit.range.low) && isnan(fit.range.high));
    fit = overlap_fit(exactly(NAN), exactly(3), exactly(2));
    assert_true(isnan(fit.omega));
    /* the value is known, its interval is not: too few samples */
    fit = overlap_fit((struct overlap_measured){4, {NAN, NAN}}, exactly(3), exactly(2));
    assert_near(fit.omega, 0.5);
    assert_true(isnan(fit.range.low) && isnan(fit.range.high));
    /* one end leaves the range in which omega is defined */
    fit = overlap_fit(exactly(3), exactly(3), (struct overlap_measured){0.07, {0.05, 0.09}});
    assert_true(isfinite(fit.omega));
    assert_true(isnan(fit.range.low) && isnan(fit.range.high));
}

TEST(quotients_exchange_the_ends)
{
    struct overlap_measured time = overlap_over(6, (struct overlap_measured){2, {1, 3}});
    assert_near(time.value, 3);
    assert_near(time.range.low, 2);
    assert_near(time.range.high, 6);
    time = overlap_times(time, 0.5);
    assert_near(time.value, 1.5);
    assert_near(time.range.low, 1);
    assert_near(time.range.high, 3);
}

RUN_TESTS(NULL, NULL)
