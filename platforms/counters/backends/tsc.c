/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/clock/clock.h"
#include "platforms/counters/backend.h"
#include "platforms/counters/reason.h"
#include "platforms/counters/system.h"

/**
 * The clock that every machine has. TSC ticks give reference cycles; calibrated against CLOCK_MONOTONIC_RAW they give
 * seconds, which the chain clock of this core turns into core cycles. Both are estimates: ticks go on while the thread
 * is off the core or in the kernel, and the core clock is that of the moment when the session was opened.
 */

enum { CALIBRATION_READS = 16 };
static const double CALIBRATION_SPAN_S = 4e-3;

struct chain_reading {
    double core_hz; /* NaN: why */
    char why[COUNTERS_TEXT];
};

struct counters_session {
    const struct counters_system *system;
    counter_set quantities;
    double tsc_hz;
    uint64_t begin_ticks, end_ticks;
    struct chain_reading chain;
};

/* ---- calibration */

/* TSC and clock at one instant: of several pairs the one whose clock reading took the fewest ticks. */
static struct tsc_instant read_instant(const struct counters_system *system)
{
    struct tsc_instant best = {0};
    uint64_t best_width = UINT64_MAX;
    for (int r = 0; r < CALIBRATION_READS; r++) {
        uint64_t first = system->rdtsc(system->context);
        uint64_t ns = system->monotonic_raw_ns(system->context);
        uint64_t second = system->rdtsc(system->context);
        if (second - first < best_width) {
            best_width = second - first;
            best = (struct tsc_instant){first + best_width / 2, 1e-9 * (double)ns};
        }
    }
    return best;
}

/* Ticks per second over 3 x 4 ms: 20 ns of uncertainty at each end are 10 ppm. NaN if the TSC stands still. */
static double calibrate_tsc(const struct counters_system *system)
{
    struct tsc_instant instant[TSC_INSTANTS] = {read_instant(system)};
    for (int i = 1; i < TSC_INSTANTS; i++)
        do {
            instant[i] = read_instant(system);
        } while (instant[i].time_s - instant[i - 1].time_s < CALIBRATION_SPAN_S);
    double hz = tsc_hz_of(instant);
    return hz > 0 ? hz : NAN;
}

/* CPUID.80000007H:EDX[8]: the TSC runs at one rate in all states. Arm's generic timer always does. */
static bool tsc_is_invariant(const struct counters_system *system)
{
    uint32_t registers[4];
    if (system->aarch64)
        return true;
    system->cpuid(system->context, 0x80000007u, 0, registers);
    return registers[3] >> 8 & 1;
}

static void run_chain(const struct counters_system *system, struct chain_reading *reading)
{
    reading->core_hz = NAN;
    reading->why[0] = '\0';
    if (!system->chain_clock) {
        snprintf(reading->why, sizeof reading->why, "there is no chain clock for this architecture");
        return;
    }
    int status = system->chain_clock(system->context, &reading->core_hz, reading->why, sizeof reading->why);
    if (status == 0)
        return;
    reading->core_hz = NAN;
    if (!reading->why[0])
        snprintf(reading->why, sizeof reading->why, "the chain clock failed: %s", strerror(-status));
}

/* ---- back end */

static void tsc_probe(const struct counters_system *system, unsigned cpu, struct counters_probe *probe)
{
    (void)cpu;
    struct counters_reason reason = {0};
    struct chain_reading chain;
    if (!tsc_is_invariant(system)) {
        reason_cause(&reason, "the TSC of this CPU is not invariant: its ticks are not a clock");
        reason_remedy(&reason, "in a VM let the hypervisor pass invtsc on (libvirt: <feature name='invtsc'/>)");
        probe_fail(probe, &reason, COUNTER_SET(COUNTER_CORE_CYCLES) | COUNTER_SET(COUNTER_REFERENCE_CYCLES));
        return;
    }
    probe->of[COUNTER_REFERENCE_CYCLES] = (struct counters_support){.grade = COUNTER_ESTIMATED};
    run_chain(system, &chain);
    probe->of[COUNTER_CORE_CYCLES] =
        (struct counters_support){.grade = isnan(chain.core_hz) ? COUNTER_UNAVAILABLE : COUNTER_ESTIMATED};
    if (isnan(chain.core_hz))
        reason_cause(&probe->of[COUNTER_CORE_CYCLES].reason, "%s", chain.why);
    probe_conclude(probe);
}

static int tsc_open(const struct counters_system *system, const struct counters_request *request,
                    struct counters_session **out, char *why, size_t size)
{
    if (!tsc_is_invariant(system)) {
        snprintf(why, size, "tsc: the TSC of this CPU is not invariant");
        return -ENOTSUP;
    }
    struct counters_session *session = calloc(1, sizeof *session);
    if (!session) {
        snprintf(why, size, "tsc: no memory");
        return -ENOMEM;
    }
    session->system = system;
    session->quantities = request->quantities;
    session->tsc_hz = calibrate_tsc(system);
    if (isnan(session->tsc_hz)) {
        free(session);
        snprintf(why, size, "tsc: the TSC does not advance");
        return -EIO;
    }
    run_chain(system, &session->chain);
    *out = session;
    return 0;
}

static void tsc_sample_begin(struct counters_session *session)
{
    session->begin_ticks = session->system->rdtsc(session->system->context);
}

static void tsc_sample_end(struct counters_session *session)
{
    session->end_ticks = session->system->rdtsc(session->system->context);
}

static void estimate_core_cycles(const struct counters_session *session, double ticks, struct counter_value *value)
{
    const struct chain_reading *chain = &session->chain;
    if (isnan(chain->core_hz)) {
        value_unavailable(value, "%s", chain->why);
    } else {
        *value = (struct counter_value){.grade = COUNTER_ESTIMATED, .value = ticks / session->tsc_hz * chain->core_hz};
        snprintf(value->reason, sizeof value->reason, "TSC time x chain clock");
    }
}

static void tsc_result(struct counters_session *session, struct counters_sample *sample)
{
    double ticks = (double)(int64_t)(session->end_ticks - session->begin_ticks);
    if (session->quantities & COUNTER_SET(COUNTER_REFERENCE_CYCLES)) {
        struct counter_value *value = &sample->of[COUNTER_REFERENCE_CYCLES];
        *value = (struct counter_value){.grade = COUNTER_ESTIMATED, .value = ticks};
        snprintf(value->reason, sizeof value->reason, "TSC ticks, which also pass in the kernel and off the core");
    }
    if (session->quantities & COUNTER_SET(COUNTER_CORE_CYCLES))
        estimate_core_cycles(session, ticks, &sample->of[COUNTER_CORE_CYCLES]);
}

static void tsc_close(struct counters_session *session)
{
    free(session);
}

const struct counters_backend counters_backend_tsc = {
    .name = "tsc",
    .summary = "time-stamp counter and a dependent chain; needs nothing, estimates only",
    .priority = 10,
    .probe = tsc_probe,
    .open = tsc_open,
    .begin = tsc_sample_begin,
    .end = tsc_sample_end,
    .result = tsc_result,
    .close = tsc_close,
};
