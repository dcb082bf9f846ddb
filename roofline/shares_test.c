/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "roofline/ebw.h"
#include "roofline/shares.h"
#include "unit_test.h"

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g is not %.17g", value, expected);
}

TEST(equal_shares_wait_for_the_slowest)
{
    const double rate[] = {10, 10, 5};
    const struct shares_team team = {.rate = rate, .members = 3};
    assert_near(shares_sum(&team), 25);
    assert_near(shares_seconds(&team, 300), 20);
    assert_true(shares_seconds(&team, 0) == 0);
}

TEST(shares_in_proportion_to_the_rates_attain_their_sum)
{
    const double rate[] = {10, 10, 5}, weight[] = {2, 2, 1};
    const struct shares_team team = {.rate = rate, .weight = weight, .members = 3};
    assert_near(shares_seconds(&team, 300), 12);
}

TEST(a_tail_fills_what_wrong_shares_leave)
{
    const double rate[] = {10, 5};
    const struct shares_team team = {.rate = rate, .members = 2};
    /* shares of 50 take 5 and 10 s; of the tail of 80 the first draws 50 until then, and both the other 30 in 2 s */
    assert_near(shares_seconds_with_tail(&team, 180, 80), 12);
    /* a tail of 40 is gone before the second is done with its share */
    assert_near(shares_seconds_with_tail(&team, 140, 40), 10);
    assert_near(shares_seconds_with_tail(&team, 150, 150), 10);
    assert_near(shares_seconds_with_tail(&team, 100, 0), shares_seconds(&team, 100));
}

TEST(no_schedule_is_faster_than_the_sum_and_a_longer_tail_never_slower)
{
    const double rate[] = {7, 3, 11, 1}, weight[] = {1, 5, 2, 0.5};
    const struct shares_team team = {.rate = rate, .weight = weight, .members = 4};
    double last = INFINITY;
    for (double tail = 0; tail <= 1000; tail += 50) {
        double seconds = shares_seconds_with_tail(&team, 1000, tail);
        assert_true(seconds <= last && seconds >= 1000 / shares_sum(&team) * (1 - 1e-12));
        last = seconds;
    }
    assert_near(last, 1000.0 / 22);
}

/** Members of two kinds, at e_bw x clock each, are what the model of a machine sums over. */
TEST(the_sum_is_that_of_the_machine)
{
    const struct roofline_kind kinds[] = {{.cores = 2, .hz = 4e9, .beta = 3, .gamma = 2.4},
                                          {.cores = 3, .hz = 3e9, .beta = 3, .gamma = 4.8}};
    double rate[5], bytes = 4;
    for (size_t i = 0; i < COUNT(rate); i++) {
        const struct roofline_kind *kind = &kinds[i >= 2];
        rate[i] = kind->hz * roofline_effective_bandwidth(kind->beta, bytes, kind->gamma);
    }
    const struct shares_team team = {.rate = rate, .weight = rate, .members = COUNT(rate)};
    assert_near(shares_sum(&team), roofline_machine_bandwidth(kinds, 2, bytes));
    assert_near(shares_seconds(&team, 1e6), roofline_gemv_seconds(kinds, 2, bytes, 1e6, 0));
}

TEST(what_is_out_of_range_is_no_number)
{
    const double good[] = {1, 2}, zero[] = {1, 0}, infinite[] = {1, INFINITY}, none[] = {NAN, 1};
    const double *const bad[] = {zero, infinite, none};
    for (size_t i = 0; i < COUNT(bad); i++) {
        const struct shares_team rates = {.rate = bad[i], .members = 2};
        const struct shares_team weights = {.rate = good, .weight = bad[i], .members = 2};
        assert_true(isnan(shares_sum(&rates)) && isnan(shares_seconds(&rates, 1)));
        assert_true(isnan(shares_seconds(&weights, 1)));
    }
    const struct shares_team team = {.rate = good, .members = 2}, empty = {.rate = good, .members = 0};
    assert_true(isnan(shares_sum(&empty)) && isnan(shares_seconds(&empty, 1)));
    assert_true(isnan(shares_seconds(&team, -1)) && isnan(shares_seconds(&team, INFINITY)));
    assert_true(isnan(shares_seconds_with_tail(&team, 1, 2)) && isnan(shares_seconds_with_tail(&team, 1, -1)));
    assert_true(isnan(shares_seconds_with_tail(&team, 1, NAN)));
}

RUN_TESTS(NULL, NULL)
