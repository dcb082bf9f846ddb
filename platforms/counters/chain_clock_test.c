/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timed: it looks at the clock of this machine; none of its claims needs a quiet one.
 */
#include "platforms/counters/chain_clock.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <string.h>

#include "platforms/clock/clock.h"
#include "platforms/counters/backends.h"
#include "platforms/counters/counters.h"
#include "platforms/counters/system.h"
#include "unit_test.h"

/* A sixth of a millisecond: on a core that others want too, some attempts fall between two turns. A slice is about as
   long as a chain of the clock, so that a program that shares the core leaves one of them alone where it leaves the clock alone.
   Each attempt opens the counters anew, which times the chains: as many as it takes for ENOUGH of them to agree. */
enum { SLICES = 25, ROUNDS_PER_SLICE = 800, CYCLES_PER_ROUND = 24, ATTEMPTS = 400, ENOUGH = 25 };

/* A known number of core cycles: a chain of 8 multiplications of 3 cycles, or of 24 additions of one where the
   multiplier's latency differs between cores; the loop's own work beside it. */
static void spend_slice(void)
{
    uint64_t value = 3, rounds = ROUNDS_PER_SLICE;
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

/** Fills in *sample. Returns the ticks of the shortest slice. */
static uint64_t sample_known_cycles(struct counters *counters, struct counters_sample *sample)
{
    uint64_t least = UINT64_MAX;
    counters_begin(counters);
    for (int slice = 0; slice < SLICES; slice++) {
        uint64_t begin = tsc_begin().ticks;
        spend_slice();
        uint64_t ticks = tsc_end().ticks - begin;
        least = ticks < least ? ticks : least;
    }
    counters_end(counters);
    counters_result(counters, sample);
    return least;
}

/* The whole path on this machine: probe, choose by name, open, count, judge. A program that shares the core makes slices longer and the
 * chain that is timed on opening slower, never the other way round: the shortest slice and the fastest chain count. */
TEST(tsc_and_chain_count_known_cycles)
{
    struct counters_chain chain;
    struct counters_system system;
    struct counters_probe probes[COUNTERS_BACKENDS];
    struct counters_plan plan;
    struct counters_request request = {pin_to_first_allowed_cpu(), COUNTER_SET_THREAD, false};
    struct counters *counters;
    char why[2 * COUNTERS_TEXT];
    uint64_t least_ticks = UINT64_MAX;
    double cycles_per_tick = 0;
    int estimates = 0;
    clock_calibrate(tsc_calibrate_hz(0.02), &chain.clock);
    counters_system_host_with_chain(&system, &chain);
    counters_probe_all(&system, request.cpu, probes);
    if (counters_choose("tsc", false, probes, COUNTERS_BACKENDS, &plan, why, sizeof why) == -ENOTSUP) {
        assert_true(strlen(why) > 0);
        print_message("# not on this machine: no invariant TSC\n");
        skip();
    }
    for (int attempt = 0; attempt < ATTEMPTS && estimates < ENOUGH; attempt++) {
        struct counters_sample sample;
        if (attempt % 40 == 39) /* a program that shared the core when the clock was calibrated made it wrong */
            clock_calibrate(tsc_calibrate_hz(0.02), &chain.clock);
        assert_int_equal(counters_open(&plan, &system, &request, &counters, why, sizeof why), 0);
        uint64_t ticks = sample_known_cycles(counters, &sample);
        least_ticks = ticks < least_ticks ? ticks : least_ticks;
        const struct counter_value *cycles = &sample.of[COUNTER_CORE_CYCLES];
        assert_true(cycles->grade == COUNTER_ESTIMATED ? cycles->value > 0 : isnan(cycles->value));
        assert_true(cycles->reason[0]);
        assert_int_equal(sample.of[COUNTER_REFERENCE_CYCLES].grade, COUNTER_ESTIMATED);
        assert_int_equal(sample.of[COUNTER_INSTRUCTIONS].grade, COUNTER_UNAVAILABLE);
        if (cycles->grade == COUNTER_ESTIMATED) {
            cycles_per_tick = fmax(cycles_per_tick, cycles->value / sample.of[COUNTER_REFERENCE_CYCLES].value);
            estimates++;
        }
        counters_close(counters);
    }
    skip_if(!estimates, "noise: the core was shared all the time, as every chain said");
    double counted = (double)least_ticks * cycles_per_tick / (ROUNDS_PER_SLICE * CYCLES_PER_ROUND);
    print_message("counted %.4f of the cycles spent\n", counted);
    assert_true(fabs(counted - 1) < 0.05);
}

RUN_TESTS(NULL, NULL)
