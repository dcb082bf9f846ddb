/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clock without a PMU: the chains, and what is made of their readings. How well they do on this machine is for
 * `kneepoint selftest`.
 *
 * timed: one undisturbed reading of microseconds among some hundred is needed, spread over a second.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <time.h>

#include "platforms/clock.h"

enum { TRIES = 20 };

static void the_chains_agree_on_a_plausible_clock(void **state)
{
    (void)state;
    double tsc_hz = tsc_calibrate_hz(0.02);
    int agreed = 0;
    /* a reading lasts microseconds, a disturbance milliseconds: spread the tries */
    for (int i = 0; i < TRIES || (!agreed && i < 50 * TRIES); i++) {
        struct clock_reading reading = clock_read(tsc_hz);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        if (reading.agrees)
            assert_true(reading.imul_hz > 1e8 && reading.imul_hz < 2e10);
        assert_int_equal(reading.agrees, reading.imul_hz > 0 && reading.add_hz > 0 &&
                                             fabs(reading.imul_hz - reading.add_hz) <=
                                                 CLOCK_AGREEMENT * fmax(reading.imul_hz, reading.add_hz));
        agreed += reading.agrees;
    }
    assert_true(agreed > 0);
}

/** Twice the TSC frequency is twice the core clock: the chain counts ticks, not seconds. */
static void the_reading_follows_the_tsc_frequency(void **state)
{
    (void)state;
    double tsc_hz = tsc_calibrate_hz(0.02);
    for (int i = 0; i < 50 * TRIES; i++) {
        double once = clock_read(tsc_hz).imul_hz, twice = clock_read(2 * tsc_hz).imul_hz;
        if (once > 0 && fabs(twice / once - 2) < 0.02)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    fail_msg("the core clock did not follow the TSC frequency");
}

static void the_issue_width_is_plausible(void **state)
{
    (void)state;
    double tsc_hz = tsc_calibrate_hz(0.02);
    double width = 0;
    for (int i = 0; i < TRIES; i++) {
        width = clock_issue_width(tsc_hz);
        if (width > 1.8 && width < 16)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    fail_msg("%g nops a cycle", width);
}

/** The latencies of the cores that are known, from disturbed and undisturbed chains. */
static void the_ratio_of_the_chains_gives_the_latency(void **state)
{
    (void)state;
    assert_int_equal(clock_multiply_cycles(2.01), 2);
    assert_int_equal(clock_multiply_cycles(2.99), 3);
    assert_int_equal(clock_multiply_cycles(4), 4);
    assert_int_equal(clock_multiply_cycles(5.2), 5);
    /* an add chain is never slower than a multiply chain: neither latency nor clock can be told */
    assert_int_equal(clock_multiply_cycles(1.1), 0);
    assert_int_equal(clock_multiply_cycles(7), 0);
    assert_int_equal(clock_multiply_cycles(0), 0);
    assert_int_equal(clock_multiply_cycles(INFINITY), 0);
    assert_int_equal(clock_multiply_cycles(NAN), 0);
}

/* ---------------------------------------------------------------- readings around a sample */

static struct clock_reading reading(double hz, bool agrees)
{
    return (struct clock_reading){.imul_hz = hz, .add_hz = hz, .agrees = agrees};
}

static void a_steady_clock_has_not_drifted(void **state)
{
    (void)state;
    struct clock_sample sample = clock_around(reading(2e9, true), reading(2.01e9, true));
    assert_true(sample.core_hz == 2.005e9);
    assert_true(sample.agrees);
    assert_false(sample.drifted);
}

static void drift_counts_in_both_directions(void **state)
{
    (void)state;
    assert_true(clock_around(reading(2e9, true), reading(2.03e9, true)).drifted);
    assert_true(clock_around(reading(2.03e9, true), reading(2e9, true)).drifted);
    /* just inside and just outside of the tolerance, which is of the larger */
    assert_false(clock_around(reading(1.9801e9, true), reading(2e9, true)).drifted);
    assert_true(clock_around(reading(1.9799e9, true), reading(2e9, true)).drifted);
    /* a drift is no disagreement */
    assert_true(clock_around(reading(1e9, true), reading(2e9, true)).agrees);
}

static void both_readings_must_agree(void **state)
{
    (void)state;
    assert_false(clock_around(reading(2e9, false), reading(2e9, true)).agrees);
    assert_false(clock_around(reading(2e9, true), reading(2e9, false)).agrees);
    assert_false(clock_around(reading(2e9, false), reading(2e9, true)).drifted);
}

/** A chain that could not be timed is a drift, not a clock of half the value. */
static void an_absent_reading_is_a_drift(void **state)
{
    (void)state;
    assert_true(clock_around(reading(0, false), reading(2e9, true)).drifted);
    assert_true(clock_around(reading(2e9, true), reading(0, false)).drifted);
    assert_true(clock_around(reading(0, false), reading(0, false)).drifted);
    assert_true(clock_around(reading(NAN, false), reading(2e9, true)).drifted);
}

/* ---------------------------------------------------------------- sibling threads */

static void the_lesser_issue_width_is_that_of_the_sample(void **state)
{
    (void)state;
    struct clock_reading wide = reading(2e9, true), narrow = reading(2e9, true);
    wide.issue_width = 5.5;
    narrow.issue_width = 3;
    assert_true(clock_around(wide, narrow).issue_width == 3);
    assert_true(clock_around(narrow, wide).issue_width == 3);
    assert_true(clock_around(wide, wide).issue_width == 5.5);
}

static void half_the_issue_width_is_a_sibling_and_noise_is_none(void **state)
{
    (void)state;
    assert_true(clock_shared(3.5, 5.5)); /* as seen: 2.0 to 3.5 of 5.5 */
    assert_true(clock_shared(4.12, 5.5));
    assert_false(clock_shared(4.13, 5.5));
    assert_false(clock_shared(5.2, 5.5));
    assert_false(clock_shared(5.5, 5.5));
    assert_false(clock_shared(7, 5.5));
    assert_false(clock_shared(3, 0));   /* nothing to compare with */
    assert_false(clock_shared(0, 5.5)); /* not timed: the chains say so */
    assert_false(clock_shared(NAN, 5.5));
}

static void the_issue_width_is_learnt_and_outliers_pass_by(void **state)
{
    (void)state;
    assert_true(clock_learn_issue_width(0, 5.5) == 5.5);
    assert_true(clock_learn_issue_width(5.5, 0) == 5.5);
    assert_true(clock_learn_issue_width(5.5, NAN) == 5.5);
    assert_true(clock_learn_issue_width(5.5, 2.8) == 5.5); /* a sibling teaches nothing */
    double width = 5.5;
    for (int i = 0; i < 10000; i++) /* one reading in twenty too wide by a third, half of the others shared */
        width = clock_learn_issue_width(width, i % 20 == 0 ? 7.4 : i % 2 ? 5.5 : 2.8);
    assert_true(width > 5.4 && width < 6);
    assert_false(clock_shared(5.2, width));
    assert_true(clock_shared(3.6, width));
    width = 2.8; /* a sibling was there at the start and left */
    for (int i = 0; i < 500; i++)
        width = clock_learn_issue_width(width, 5.5);
    assert_true(width > 5.4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chains_agree_on_a_plausible_clock),
        cmocka_unit_test(the_reading_follows_the_tsc_frequency),
        cmocka_unit_test(the_issue_width_is_plausible),
        cmocka_unit_test(the_ratio_of_the_chains_gives_the_latency),
        cmocka_unit_test(a_steady_clock_has_not_drifted),
        cmocka_unit_test(drift_counts_in_both_directions),
        cmocka_unit_test(both_readings_must_agree),
        cmocka_unit_test(an_absent_reading_is_a_drift),
        cmocka_unit_test(the_lesser_issue_width_is_that_of_the_sample),
        cmocka_unit_test(the_issue_width_is_learnt_and_outliers_pass_by),
        cmocka_unit_test(half_the_issue_width_is_a_sibling_and_noise_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
