/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timed: it looks at the clock of this machine; none of its claims needs a quiet one.
 */
#include "platforms/counters/chain_clock.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "platforms/clock.h"
#include "platforms/counters/backends.h"
#include "platforms/counters/counters.h"
#include "platforms/counters/system.h"

/* A sixth of a millisecond: on a core that others want too, some attempts fall between two turns. */
enum { ROUNDS = 20000, CYCLES_PER_ROUND = 24, ATTEMPTS = 400 };

/* A known number of core cycles: a chain of 8 multiplications of 3 cycles, or of 24 additions of one where the
   multiplier's latency differs between cores; the loop's own work beside it. */
static void spend_known_cycles(void)
{
    uint64_t value = 3, rounds = ROUNDS;
#if defined(__x86_64__)
    __asm__ volatile("1:\n\t"
                     "imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0\n\t"
                     "imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0\n\t"
                     "dec %1\n\tjnz 1b"
                     : "+r"(value), "+r"(rounds)::"cc");
#else
    __asm__ volatile("1:\n\t"
                     ".rept 24\n\tadd %0, %0, %0\n\t.endr\n\t"
                     "subs %1, %1, 1\n\tb.ne 1b"
                     : "+r"(value), "+r"(rounds)::"cc");
#endif
}

static unsigned pin_to_first_allowed_cpu(void)
{
    cpu_set_t set;
    unsigned cpu = 0;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    while (!CPU_ISSET(cpu, &set))
        cpu++;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    assert_int_equal(sched_setaffinity(0, sizeof set, &set), 0);
    return cpu;
}

static struct counters_sample sample_known_cycles(struct counters *counters)
{
    struct counters_sample sample;
    counters_calibrate(counters);
    counters_begin(counters);
    spend_known_cycles();
    counters_end(counters);
    counters_calibrate(counters);
    counters_result(counters, &sample);
    return sample;
}

/* The whole path on this machine: probe, choose by name, open, count, judge. Interference only adds, so the least
 * counts. */
static void tsc_and_chain_count_known_cycles(void **state)
{
    (void)state;
    struct counters_chain chain;
    struct counters_system system;
    struct counters_probe probes[COUNTERS_BACKENDS];
    struct counters_plan plan;
    struct counters_request request = {pin_to_first_allowed_cpu(), COUNTER_SET_THREAD, false};
    struct counters *counters;
    char why[2 * COUNTERS_TEXT];
    double least = INFINITY;
    clock_calibrate(tsc_calibrate_hz(0.02), &chain.clock);
    counters_system_host_with_chain(&system, &chain);
    counters_probe_all(&system, request.cpu, probes);
    if (counters_choose("tsc", false, probes, COUNTERS_BACKENDS, &plan, why, sizeof why) == -ENOTSUP) {
        assert_true(strlen(why) > 0);
        print_message("# not on this machine: no invariant TSC\n");
        skip();
    }
    assert_int_equal(counters_open(&plan, &system, &request, &counters, why, sizeof why), 0);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        struct counters_sample sample = sample_known_cycles(counters);
        const struct counter_value *cycles = &sample.of[COUNTER_CORE_CYCLES];
        assert_true(cycles->grade == COUNTER_ESTIMATED ? cycles->value > 0 : isnan(cycles->value));
        assert_true(cycles->reason[0]);
        assert_int_equal(sample.of[COUNTER_REFERENCE_CYCLES].grade, COUNTER_ESTIMATED);
        assert_int_equal(sample.of[COUNTER_INSTRUCTIONS].grade, COUNTER_UNAVAILABLE);
        if (cycles->grade == COUNTER_ESTIMATED)
            least = fmin(least, cycles->value);
    }
    counters_close(counters);
    if (isinf(least)) {
        print_message("# noise: the core was shared all the time, as every sample said\n");
        skip();
    }
    double expected = (double)ROUNDS * CYCLES_PER_ROUND;
    print_message("counted %.4f of the cycles spent\n", least / expected);
    assert_true(fabs(least / expected - 1) < 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tsc_and_chain_count_known_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
