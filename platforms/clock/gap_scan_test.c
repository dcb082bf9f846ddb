/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/clock/gap_scan.h"
#include "unit_test.h"

/** A clock that ticks by a list of steps, then by 100 ns for ever. */
struct fake_clock {
    const uint64_t *steps;
    size_t count, next;
    uint64_t time_ns;
};

static uint64_t fake_now_ns(void *context)
{
    struct fake_clock *clock = context;
    clock->time_ns += clock->next < clock->count ? clock->steps[clock->next] : 100;
    clock->next++;
    return clock->time_ns;
}

TEST(gaps_fall_into_their_classes)
{
    static const uint64_t steps[] = {5, 999, 1000, 9999, 10000, 99999, 100000, 999999, 1000000, 70000000};
    struct fake_clock clock = {steps, sizeof steps / sizeof steps[0], 0, UINT64_C(1) << 40};
    struct gap_scan scan = gap_scan_run(50000000, fake_now_ns, &clock);
    assert_int_equal(scan.gaps[0], 2);
    assert_int_equal(scan.gaps[1], 2);
    assert_int_equal(scan.gaps[2], 2);
    assert_int_equal(scan.gaps[3], 2);
    assert_int_equal(scan.longest_ns, 70000000);
    assert_int_equal(scan.lost_ns, 1000 + 9999 + 10000 + 99999 + 100000 + 999999 + 1000000 + 70000000);
    assert_int_equal(scan.duration_ns, scan.lost_ns + 999);
    assert_int_equal(scan.readings, 10);
}

TEST(a_quiet_clock_has_no_gap)
{
    struct fake_clock clock = {NULL, 0, 0, 0};
    struct gap_scan scan = gap_scan_run(10000, fake_now_ns, &clock);
    assert_int_equal(scan.lost_ns, 0);
    assert_int_equal(scan.longest_ns, 100);
    assert_int_equal(scan.duration_ns, 10000);
    assert_int_equal(scan.readings, 101);
    assert_int_equal(gap_scan_run(0, fake_now_ns, &clock).readings, 1);
}

TEST(this_machine_spins_as_long_as_asked)
{
    struct gap_scan scan = gap_scan_run(2000000, NULL, NULL);
    assert_true(scan.duration_ns >= 2000000);
    assert_true(scan.readings > 100);
    assert_true(scan.lost_ns <= scan.duration_ns && scan.longest_ns <= scan.duration_ns);
}

RUN_TESTS(NULL, NULL)
