/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A counter of 32 bits that wraps between two readings: the kernel carries what it lost, by system call and by user access. Needs a PMU,
 * such as that of an emulated machine (platforms/emulated/cortex-a72).
 */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "platforms/counters/perf_counter.h"
#include "unit_test.h"

/** Some 4.4e9: more than 32 bits hold, of two instructions each. */
static const uint64_t iterations = UINT64_C(2200000000);

static void run_long(void)
{
    uint64_t left = iterations;
#if defined(__x86_64__)
    __asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(left)::"cc");
#else
    __asm__ volatile("1: subs %0, %0, 1\n\tb.ne 1b" : "+r"(left)::"cc");
#endif
}

TEST(what_wraps_is_counted_through)
{
    struct counters_system system;
    struct perf_facts facts;
    struct perf_counter counter = {.fd = -1};
    struct perf_reading begin, end;
    double fast = NAN, slow = NAN;
    char why[COUNTERS_TEXT] = "";
    counters_system_host(&system);
    perf_facts_read(&system, (unsigned)sched_getcpu(), &facts);
    int error = perf_counter_open_core(&system, &facts, COUNTER_INSTRUCTIONS, &counter);
    skip_if(error, "not on this machine: no instructions are counted: %s", strerror(-error));
    perf_counter_read_slow(&system, counter.fd, &begin);
    perf_counter_read(&system, &counter, &counter.begin);
    run_long();
    perf_counter_read(&system, &counter, &counter.end);
    perf_counter_read_slow(&system, counter.fd, &end);
    print_message("# read by %s\n", counter.page ? "user access" : "system call");
    if (!perf_difference(&counter.begin, &counter.end, &fast, why, sizeof why) ||
        !perf_difference(&begin, &end, &slow, why, sizeof why)) {
        perf_counter_close(&system, &counter);
        print_message("# noise: %s\n", why);
        skip();
    }
    perf_counter_close(&system, &counter);
    print_message("# %.0f and, by system call, %.0f of %.0f instructions\n", fast, slow, 2.0 * (double)iterations);
    assert_true(fabs(fast / (2.0 * (double)iterations) - 1) < 1e-3);
    assert_true(fabs(slow / (2.0 * (double)iterations) - 1) < 1e-3);
}

RUN_TESTS(NULL, NULL)
