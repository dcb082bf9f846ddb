/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Selftest of the hardware counters against what is known without them: a loop of known length, a known volume of
 * memory, the chain clock, and one back end against another.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/session_pool.h"
#include "harness/selftest/selftest.h"
#include "platforms/clock/clock.h"
#include "platforms/counters/backends.h"
#include "platforms/counters/perf_counter.h"
#include "platforms/counters/reason.h"
#include "platforms/memory/memory.h"
#include "platforms/system/host.h"

enum { LOOP_ITERATIONS = 5000000, LOOP_INSTRUCTIONS = 2, TRIES = 5 };

/** Two instructions an iteration. */
static void known_loop(void)
{
    uint64_t iterations = LOOP_ITERATIONS;
#if defined(__x86_64__)
    __asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(iterations)::"cc");
#elif defined(__aarch64__)
    __asm__ volatile("1: subs %0, %0, 1\n\tb.ne 1b" : "+r"(iterations)::"cc");
#else
#error "the known loop of this architecture is not written yet: x86_64 and aarch64 only"
#endif
}

/** Bind to the CPU that the counters belong to. */
static bool take_place(struct session *session, struct selftest_line *line)
{
    char why[SESSION_WHY];
    if (topology_bind_thread(session->machine.topology, session->cpus[0], why, sizeof why) == 0)
        return true;
    selftest_judge(line, false, NAN, "", "%s", why);
    return false;
}

/** What a back end said of this machine; NULL if it is not in this build. */
static const struct counters_probe *probe_named(const struct session *session, const char *name,
                                                struct selftest_line *line)
{
    for (size_t b = 0; b < COUNTERS_BACKENDS; b++) {
        if (strcmp(session->instruments.probes[b].backend->name, name) == 0)
            return &session->instruments.probes[b];
    }
    selftest_unavailable(line, "this build has no %s", name);
    return NULL;
}

/**
 * The probe that can count a quantity (by rdpmc only, or at all), best first; else a line with the first one's reason.
 */
static const struct counters_probe *probe_for(const struct session *session, enum counter_quantity quantity,
                                              bool system_calls, struct selftest_line *line)
{
    const struct counters_probe *probes = session->instruments.probes;
    for (size_t b = 0; b < COUNTERS_BACKENDS; b++) {
        const struct counters_support *support = &probes[b].of[quantity];
        if (support->grade == COUNTER_MEASURED && (system_calls || !support->system_call))
            return &probes[b];
    }
    char reason[2 * COUNTERS_TEXT + 2];
    const struct counters_probe *first = &probes[0];
    reason_line(first->of[quantity].grade == COUNTER_MEASURED ? &first->reason : &first->of[quantity].reason, reason,
                sizeof reason);
    selftest_unavailable(line, "%s", reason);
    return NULL;
}

/** Count some quantities with one back end around a piece of work. */
static int count_with(const struct session *session, const char *backend, counter_set quantities,
                      void (*work)(void *context), void *context, struct counters_sample *sample, char *why,
                      size_t size)
{
    const struct instruments *instruments = &session->instruments;
    struct counters_request request = {.cpu = session->cpus[0], .quantities = quantities, .system_calls = true};
    struct counters_plan plan;
    struct counters *counters;
    int error = counters_choose(backend, true, instruments->probes, COUNTERS_BACKENDS, &plan, why, size);
    if (!error)
        error = counters_open(&plan, &instruments->system, &request, &counters, why, size);
    if (error)
        return error;
    counters_begin(counters);
    work(context);
    counters_end(counters);
    counters_result(counters, sample);
    counters_close(counters);
    return 0;
}

static void run_known_loop(void *context)
{
    (void)context;
    known_loop();
}

/* ---------------------------------------------------------------- checks */

static void check_instructions(struct session *session, struct selftest_line *line)
{
    const double expected = (double)LOOP_ITERATIONS * LOOP_INSTRUCTIONS;
    const struct counters_probe *probe = probe_for(session, COUNTER_INSTRUCTIONS, true, line);
    if (!probe || !take_place(session, line))
        return;
    double nearest = NAN;
    for (int i = 0; i < TRIES && !selftest_close(nearest, expected, 0.001); i++) {
        struct counters_sample sample;
        char why[COUNTERS_TEXT];
        if (count_with(session, probe->backend->name, COUNTER_SET(COUNTER_INSTRUCTIONS), run_known_loop, NULL, &sample,
                       why, sizeof why) == 0)
            nearest = sample.of[COUNTER_INSTRUCTIONS].value;
    }
    selftest_judge(line, selftest_close(nearest, expected, 0.001), nearest, "1",
                   "%s counted %.0f instructions of a loop of %.0f", probe->backend->name, nearest, expected);
}

/** One event around the known loop, by both ways. @return 0 or negative errno; -ENOTSUP without a page */
static int read_both_ways(const struct session *session, double *fast, double *slow, char *why, size_t size)
{
    const struct counters_system *system = &session->instruments.system;
    struct perf_facts facts;
    struct perf_counter counter = {.fd = -1};
    struct perf_reading slow_begin, slow_end;
    perf_facts_read(system, session->cpus[0], &facts);
    int error = perf_counter_open_core(system, &facts, COUNTER_INSTRUCTIONS, &counter);
    if (error)
        return error;
    bool has_page = counter.page;
    perf_counter_read_slow(system, counter.fd, &slow_begin);
    perf_counter_read(system, &counter, &counter.begin);
    known_loop();
    perf_counter_read(system, &counter, &counter.end);
    perf_counter_read_slow(system, counter.fd, &slow_end);
    bool counted = perf_difference(&counter.begin, &counter.end, fast, why, size) &&
                   perf_difference(&slow_begin, &slow_end, slow, why, size);
    perf_counter_close(system, &counter);
    return !has_page ? -ENOTSUP : counted ? 0 : -EIO;
}

static void check_rdpmc(struct session *session, struct selftest_line *line)
{
    double fast = NAN, slow = NAN;
    char why[COUNTERS_TEXT] = "";
    int error = -EIO;
    const struct counters_probe *perf = probe_named(session, "perf", line);
    if (!perf)
        return;
    if (perf->of[COUNTER_INSTRUCTIONS].grade != COUNTER_MEASURED) {
        reason_line(&perf->of[COUNTER_INSTRUCTIONS].reason, line->detail, sizeof line->detail);
        return;
    }
    if (!take_place(session, line))
        return;
    for (int i = 0; i < TRIES && error != -ENOTSUP && (error || !selftest_close(fast, slow, 0.001)); i++)
        error = read_both_ways(session, &fast, &slow, why, sizeof why);
    if (error == -ENOTSUP)
        reason_line(&perf->reason, line->detail, sizeof line->detail);
    else
        selftest_judge(line, !error && selftest_close(fast, slow, 0.001), 100 * (fast / slow - 1), "%",
                       "rdpmc %.0f, read() %.0f%s%s", fast, slow, why[0] ? ": " : "", why);
}

static void spin(void *context, unsigned member, unsigned sample)
{
    (void)member, (void)sample;
    double tsc_hz = *(const double *)context;
    uint64_t end = tsc_begin().ticks + (uint64_t)(200e-6 * tsc_hz);
    while (tsc_begin().ticks < end)
        continue;
}

/** The chain clock beside the counted one: around the same spins of 200 us, by the samples that were kept. */
static void check_chain_clock(struct session *session, struct selftest_line *line)
{
    enum { SAMPLES = 20, ROUNDS = 10 };
    struct instruments *instruments = &session->instruments;
    struct sample samples[SAMPLES];
    char why[SESSION_WHY];
    if (!(instruments->in_sample & COUNTER_SET(COUNTER_CORE_CYCLES))) {
        if (probe_for(session, COUNTER_CORE_CYCLES, false, line))
            selftest_unavailable(line, "core cycles are not counted inside a sample");
        return;
    }
    struct team *team = session_team(session, 1, why, sizeof why);
    const struct sampler_work work = {.context = &instruments->tsc_hz, .run = spin};
    double least = INFINITY;
    for (int round = 0; team && round < ROUNDS && !(least <= CLOCK_AGREEMENT); round++) {
        if (sampler_take(team, instruments, &work, samples, SAMPLES) != 0)
            break;
        struct clock_reading chain = clock_read(&instruments->chain.clock);
        for (int i = 0; i < SAMPLES; i++) {
            if (samples[i].grade == SAMPLE_PMU && samples[i].cause == SAMPLE_KEPT)
                least = fmin(least, fabs(chain.imul_hz / samples[i].core_hz - 1));
        }
    }
    selftest_judge(line, least <= CLOCK_AGREEMENT, 100 * least, "%",
                   "the chain clock differs from counted cycles by %.2f%%", 100 * least);
}

/* ---------------------------------------------------------------- memory traffic */

struct traffic {
    const unsigned char *bytes;
    size_t length;
    uint64_t sum;
};

static void read_once(void *context)
{
    struct traffic *traffic = context;
    for (size_t i = 0; i < traffic->length; i += 64)
        traffic->sum += *(const volatile unsigned char *)(traffic->bytes + i);
}

static size_t traffic_bytes(const struct session *session)
{
    size_t caches = session_cold_bytes(session, 1);
    return caches < (256u << 20) ? 256u << 20 : caches;
}

static void judge_traffic(struct session *session, const struct counters_probe *probe, struct traffic *traffic,
                          struct selftest_line *line)
{
    double best = NAN, expected = (double)traffic->length;
    char why[COUNTERS_TEXT];
    for (int i = 0; i < TRIES && !selftest_close(best, expected, 0.1); i++) {
        struct counters_sample sample;
        if (count_with(session, probe->backend->name, COUNTER_SET(COUNTER_DRAM_READ_BYTES), read_once, traffic, &sample,
                       why, sizeof why) == 0)
            best = sample.of[COUNTER_DRAM_READ_BYTES].value;
    }
    selftest_judge(line, selftest_close(best, expected, 0.1), best / expected, "1",
                   "%s counted %.1f MB read while %.1f MB were read here", probe->backend->name, 1e-6 * best,
                   1e-6 * expected);
}

static void check_traffic(struct session *session, struct selftest_line *line)
{
    const struct counters_probe *probe = probe_for(session, COUNTER_DRAM_READ_BYTES, true, line);
    struct memory_block block;
    char why[SESSION_WHY];
    if (!probe || !take_place(session, line))
        return;
    struct traffic traffic = {.length = traffic_bytes(session)};
    if (session_memory_fits(traffic.length, host_memory_available(""), "the traffic check", why, sizeof why)) {
        selftest_unavailable(line, "%s", why);
        return;
    }
    if (memory_reserve(traffic.length, &block) != 0 || memory_fill_random(&block, 1) != 0) {
        memory_release(&block);
        selftest_unavailable(line, "the kernel refused %zu MB", traffic.length >> 20);
        return;
    }
    traffic.bytes = block.bytes;
    judge_traffic(session, probe, &traffic, line);
    memory_release(&block);
}

/* ---------------------------------------------------------------- one back end against another */

static void check_papi(struct session *session, struct selftest_line *line)
{
    const struct counters_probe *perf = probe_named(session, "perf", line), *papi = probe_named(session, "papi", line);
    if (!perf || !papi)
        return;
    const struct counters_probe *missing = perf->of[COUNTER_INSTRUCTIONS].grade != COUNTER_MEASURED ? perf : papi;
    struct counters_sample by_perf, by_papi;
    char why[COUNTERS_TEXT] = "";
    if (missing->of[COUNTER_INSTRUCTIONS].grade != COUNTER_MEASURED) {
        reason_line(&missing->of[COUNTER_INSTRUCTIONS].reason, line->detail, sizeof line->detail);
        return;
    }
    if (!take_place(session, line))
        return;
    double apart = NAN;
    counter_set set = COUNTER_SET(COUNTER_INSTRUCTIONS);
    for (int i = 0; i < TRIES && !(fabs(apart) <= 0.01); i++) {
        if (count_with(session, "perf", set, run_known_loop, NULL, &by_perf, why, sizeof why) == 0 &&
            count_with(session, "papi", set, run_known_loop, NULL, &by_papi, why, sizeof why) == 0)
            apart = counters_difference(&by_perf, &by_papi, COUNTER_INSTRUCTIONS);
    }
    selftest_judge(line, fabs(apart) <= 0.01, 100 * apart, "%", "papi differs from perf by %.3f%%%s%s", 100 * apart,
                   why[0] ? ": " : "", why);
}

const struct selftest_check selftest_counters_checks[] = {
    {"rdpmc", "rdpmc and read() count the same, to 0.1%", false, check_rdpmc},
    {"instructions", "a loop of known length is counted to 0.1%", false, check_instructions},
    {"chain_clock", "the chain clock agrees with counted core cycles within 1%", true, check_chain_clock},
    {"papi", "papi counts what perf counts, to 1%", false, check_papi},
    {"dram_traffic", "a known volume read from memory is counted to 10%", false, check_traffic},
    {0},
};
