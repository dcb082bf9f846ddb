/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clock without a PMU: the chains, and what is made of their readings. How well they do on this machine is for
 * `kneepoint selftest`.
 *
 * timed: one undisturbed reading of microseconds among some hundred is needed, spread over a second.
 */
#include <math.h>
#include <string.h>
#include <time.h>

#include "platforms/clock/clock.h"
#include "unit_test.h"

enum { TRIES = 20 };

TEST(the_chains_agree_on_a_plausible_clock)
{
    struct clock clock;
    clock_calibrate(tsc_calibrate_hz(0.02), &clock);
    int agreed = 0;
    /* a reading lasts microseconds, a disturbance milliseconds: spread the tries */
    for (int i = 0; i < TRIES || (!agreed && i < 50 * TRIES); i++) {
        struct clock_reading reading = clock_read(&clock);
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
TEST(the_reading_follows_the_tsc_frequency)
{
    struct clock clock, doubled;
    clock_calibrate(tsc_calibrate_hz(0.02), &clock);
    doubled = clock;
    doubled.tsc_hz *= 2;
    for (int i = 0; i < 50 * TRIES; i++) {
        double once = clock_read(&clock).imul_hz, twice = clock_read(&doubled).imul_hz;
        if (once > 0 && fabs(twice / once - 2) < 0.02)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    fail_msg("the core clock did not follow the TSC frequency");
}

/** A host stops its guest for 2 ms of 12: the counter goes on, the guest's clock does not; or the other way round. */
TEST(a_host_that_stops_its_guest_once_is_outvoted)
{
    static const double hz = 2e9;
    for (int span = 0; span < TSC_INSTANTS - 1; span++)
        for (int which = 0; which < 2; which++) {
            struct tsc_instant instant[TSC_INSTANTS];
            for (int i = 0; i < TSC_INSTANTS; i++) {
                bool later = i > span;
                instant[i].ticks = 1000 + (uint64_t)i * 8000000 + (later && which ? 4000000 : 0);
                instant[i].time_s = 77 + 4e-3 * i + (later && !which ? 2e-3 : 0);
            }
            assert_true(fabs(tsc_hz_of(instant) / hz - 1) < 1e-3);
        }
    struct tsc_instant still[TSC_INSTANTS] = {{5, 0}, {5, 1}, {5, 2}, {5, 3}};
    assert_true(tsc_hz_of(still) <= 0);
}

TEST(the_issue_width_is_plausible)
{
    struct clock clock;
    double width = 0;
    clock_calibrate(tsc_calibrate_hz(0.02), &clock);
    for (int i = 0; i < 50 * TRIES; i++) {
        width = clock_issue_width(&clock);
        if (width > 1.8 && width < 16)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    fail_msg("%g nops a cycle", width);
}

/** The latencies of the cores that are known, from disturbed and undisturbed chains. */
TEST(the_ratio_of_the_chains_gives_the_latency)
{
    assert_int_equal(clock_multiply_cycles(2.01), 2);
    assert_int_equal(clock_multiply_cycles(2.99), 3);
    assert_int_equal(clock_multiply_cycles(4), 4);
    assert_int_equal(clock_multiply_cycles(5.2), 5);
    assert_int_equal(clock_multiply_cycles(6), 6);
    assert_int_equal(clock_multiply_cycles(14), 14);
    /* an add chain is never slower than a multiply chain: neither latency nor clock can be told */
    assert_int_equal(clock_multiply_cycles(1.1), 0);
    assert_int_equal(clock_multiply_cycles(CLOCK_MULTIPLY_CYCLES_MOST + 1), 0);
    assert_int_equal(clock_multiply_cycles(0), 0);
    assert_int_equal(clock_multiply_cycles(INFINITY), 0);
    assert_int_equal(clock_multiply_cycles(NAN), 0);
}

/* ---------------------------------------------------------------- chains of made-up lengths */

/** A core of 2 GHz whose multiplies take as long as this many adds. */
static struct clock_reading of_ratio(double ratio, unsigned multiply_cycles)
{
    struct clock_spans spans = {.multiply_s = 0.5e-9 * ratio, .add_s = 0.5e-9, .nop_s = 0.1e-9};
    return clock_reading_of(spans, multiply_cycles);
}

TEST(the_clock_is_right_at_every_latency_that_was_calibrated)
{
    static const unsigned cycles[] = {2, 3, 4, 5, 6, 14};
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
        struct clock_reading reading = of_ratio(cycles[i], cycles[i]);
        assert_true(reading.agrees);
        assert_float_equal(reading.imul_hz, 2e9, 1);
        assert_float_equal(reading.issue_width, 5, 1e-6);
        assert_int_equal(reading.multiply_cycles, cycles[i]);
        assert_int_equal(clock_reconciling_cycles(&reading), 0);
        /* before it is calibrated a reading goes by its own ratio */
        assert_int_equal(of_ratio(cycles[i], 0).multiply_cycles, cycles[i]);
    }
}

TEST(another_latency_than_was_calibrated_is_named)
{
    char text[256];
    struct clock_reading jaguar = of_ratio(6.02, 3), atom = of_ratio(4.97, 3), first = of_ratio(2, 3);
    assert_false(jaguar.agrees || atom.agrees || first.agrees);
    assert_int_equal(clock_reconciling_cycles(&jaguar), 6);
    assert_int_equal(clock_reconciling_cycles(&atom), 5);
    assert_int_equal(clock_reconciling_cycles(&first), 2);
    clock_disagreement(&jaguar, text, sizeof text);
    assert_non_null(strstr(text, "as long as 6.02 adds"));
    assert_non_null(strstr(text, "calibrated at 3 cycles; at 6 they would agree"));
}

TEST(a_disturbance_is_no_latency)
{
    char text[256];
    struct clock_reading disturbed = of_ratio(3.5, 3), fine = of_ratio(3.01, 3), absent = of_ratio(0, 3);
    assert_int_equal(clock_reconciling_cycles(&disturbed), 0);
    clock_disagreement(&disturbed, text, sizeof text);
    assert_string_equal(text, "the two chains disagree by 14.3%: something shares this core");
    clock_disagreement(&fine, text, sizeof text);
    assert_string_equal(text, "");
    assert_false(absent.agrees);
    assert_int_equal(clock_reconciling_cycles(&absent), 0);
    clock_disagreement(&absent, text, sizeof text);
    assert_non_null(strstr(text, "100.0%"));
}

/** An emulator that counts instructions takes one cycle for either. */
TEST(a_multiply_as_fast_as_an_add_is_no_clock)
{
    char text[256];
    struct clock_reading emulated = of_ratio(1.03, 0);
    assert_int_equal(emulated.multiply_cycles, 0);
    assert_true(emulated.imul_hz == 0 && !emulated.agrees);
    clock_disagreement(&emulated, text, sizeof text);
    assert_string_equal(text, "a multiply takes as long as 1.03 adds, which no core does: its chain cannot be a clock");
}

/* ---------------------------------------------------------------- how far the counter moves at once */

/** A counter that moves by step ticks at once, read around spans of 50 to 300 ticks in steps of a third. */
static unsigned widest_of_steps(unsigned step, unsigned jitter)
{
    uint64_t ticks[750];
    for (unsigned i = 0; i < 750; i++) {
        unsigned steps = (50 + i / 3) / step;
        ticks[(i * 7) % 750] = (uint64_t)steps * step + (jitter ? i % jitter : 0);
    }
    return tsc_widest_gap(ticks, 750);
}

TEST(the_step_of_the_counter_is_the_gap_between_spans)
{
    assert_int_equal(widest_of_steps(1, 0), 1);
    assert_int_equal(widest_of_steps(2, 0), 2);
    assert_int_equal(widest_of_steps(26, 0), 26);
    assert_int_equal(widest_of_steps(36, 0), 36);
    /* a hypervisor that scales it makes steps of 25 and of 26 ticks */
    assert_int_equal(widest_of_steps(26, 2), 25);
    /* a counter slower than all spans */
    uint64_t same[] = {0, 0, 0, 0, 0, 0, 0, 0};
    assert_int_equal(tsc_widest_gap(same, 8), 1);
    /* a span that was interrupted is among the longer ones */
    uint64_t interrupted[] = {100, 102, 104, 106, 108, 110, 112, 100000};
    assert_int_equal(tsc_widest_gap(interrupted, 8), 2);
}

/**
 * Two readings of a steady clock must not differ by the resolution of the counter alone: as much as one step at either
 * end of a chain. At a step of 26 ticks of 2.6 GHz chains of 2,880 cycles did by 1.3%, and a third of all samples was
 * rejected for a clock that did not move.
 */
TEST(chains_are_as_long_as_the_counter_is_coarse)
{
    struct clock coarse;
    clock_calibrate(tsc_calibrate_hz(0.02), &coarse);
    unsigned step = coarse.step_ticks;
    uint64_t fine_ticks = UINT64_MAX, coarse_ticks = UINT64_MAX;
    for (unsigned factor = 1; factor <= 16; factor *= 16) {
        uint64_t *least = factor == 1 ? &fine_ticks : &coarse_ticks;
        coarse.step_ticks = factor * (step > 100 ? step : 100);
        for (int i = 0; i < TRIES; i++) {
            uint64_t begin = tsc_begin().ticks;
            clock_read(&coarse);
            uint64_t ticks = tsc_end().ticks - begin;
            *least = ticks < *least ? ticks : *least;
        }
    }
    /* a counter 16 times as coarse takes chains 16 times as long */
    assert_true((double)coarse_ticks > 10 * (double)fine_ticks);
}

/* ---------------------------------------------------------------- readings around a sample */

static struct clock_reading reading(double hz, bool agrees)
{
    return (struct clock_reading){.imul_hz = hz, .add_hz = hz, .agrees = agrees};
}

TEST(a_steady_clock_has_not_drifted)
{
    struct clock_sample sample = clock_around(reading(2e9, true), reading(2.01e9, true));
    assert_true(sample.core_hz == 2.005e9);
    assert_true(sample.agrees);
    assert_false(sample.drifted);
}

TEST(drift_counts_in_both_directions)
{
    assert_true(clock_around(reading(2e9, true), reading(2.03e9, true)).drifted);
    assert_true(clock_around(reading(2.03e9, true), reading(2e9, true)).drifted);
    /* just inside and just outside of the tolerance, which is of the larger */
    assert_false(clock_around(reading(1.9801e9, true), reading(2e9, true)).drifted);
    assert_true(clock_around(reading(1.9799e9, true), reading(2e9, true)).drifted);
    /* a drift is no disagreement */
    assert_true(clock_around(reading(1e9, true), reading(2e9, true)).agrees);
}

TEST(both_readings_must_agree)
{
    assert_false(clock_around(reading(2e9, false), reading(2e9, true)).agrees);
    assert_false(clock_around(reading(2e9, true), reading(2e9, false)).agrees);
    assert_false(clock_around(reading(2e9, false), reading(2e9, true)).drifted);
}

/** A chain that could not be timed is a drift, not a clock of half the value. */
TEST(an_absent_reading_is_a_drift)
{
    assert_true(clock_around(reading(0, false), reading(2e9, true)).drifted);
    assert_true(clock_around(reading(2e9, true), reading(0, false)).drifted);
    assert_true(clock_around(reading(0, false), reading(0, false)).drifted);
    assert_true(clock_around(reading(NAN, false), reading(2e9, true)).drifted);
}

/* ---------------------------------------------------------------- sibling threads */

TEST(the_lesser_issue_width_is_that_of_the_sample)
{
    struct clock_reading wide = reading(2e9, true), narrow = reading(2e9, true);
    wide.issue_width = 5.5;
    narrow.issue_width = 3;
    assert_true(clock_around(wide, narrow).issue_width == 3);
    assert_true(clock_around(narrow, wide).issue_width == 3);
    assert_true(clock_around(wide, wide).issue_width == 5.5);
}

TEST(half_the_issue_width_is_a_sibling_and_noise_is_none)
{
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

TEST(the_issue_width_is_learnt_and_outliers_pass_by)
{
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

TEST(seeds_are_short_and_differ)
{
    enum { SEEDS = 64 };
    unsigned others = 0;
    const uint64_t first = seed_from_clock();
    for (int i = 0; i < SEEDS; i++) {
        uint64_t seed = seed_from_clock();
        assert_true(seed >= 1 && seed <= UINT32_MAX);
        others += seed != first;
    }
    assert_true(others > 0);
}

RUN_TESTS(NULL, NULL)
