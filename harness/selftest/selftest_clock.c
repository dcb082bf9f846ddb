/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Selftest of time: the thread stays where it was put, the time-stamp counter runs at one rate, the chains are a clock,
 * and reading all of it costs little.
 */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

#include "harness/selftest/selftest.h"
#include "platforms/clock/clock.h"

/** How long a check that a passing neighbour can spoil is repeated. */
static const double patience_s = 1;

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---------------------------------------------------------------- affinity */

/** Whether the calling thread is never seen elsewhere for a while. */
static bool stays_on(unsigned cpu, double seconds)
{
    double end_s = now_s() + seconds;
    bool stays = true;
    while (stays && now_s() < end_s)
        stays = sched_getcpu() == (int)cpu;
    return stays;
}

static void check_affinity(struct session *session, struct selftest_line *line)
{
    const struct topology *topology = session->machine.topology;
    size_t count = topology_core_count(topology);
    double each_s = 0.2 / (double)count;
    char why[SESSION_WHY];
    for (size_t i = 0; i < count; i++) {
        unsigned cpu = topology_cores(topology)[i].cpu;
        if (topology_bind_thread(topology, cpu, why, sizeof why) != 0) {
            selftest_judge(line, false, (double)cpu, "cpu", "%s", why);
            return;
        }
        if (!stays_on(cpu, each_s)) {
            selftest_judge(line, false, (double)cpu, "cpu", "a thread bound to CPU %u was seen on another", cpu);
            return;
        }
    }
    topology_bind_thread(topology, session->cpus[0], why, sizeof why);
    selftest_judge(line, true, (double)count, "cores", "bound to each of %zu cores in turn and never seen elsewhere",
                   count);
}

/* ---------------------------------------------------------------- the time-stamp counter */

static void check_tsc(struct session *session, struct selftest_line *line)
{
    enum { TRIES = 6 };
    static const double tolerance = 100e-6;
    double least = INFINITY, hz = session->instruments.tsc_hz;
    for (int i = 0; i < TRIES && !(least <= tolerance); i++)
        least = fmin(least, fabs(tsc_calibrate_hz(0.05) / hz - 1));
    selftest_judge(line, least <= tolerance, 1e6 * least, "ppm",
                   "%.6f GHz by CLOCK_MONOTONIC_RAW; a second calibration differs by %.1f ppm", 1e-9 * hz, 1e6 * least);
}

static void check_timer(struct session *session, struct selftest_line *line)
{
    enum { PAIRS = 100000 };
    uint64_t overhead = UINT64_MAX;
    for (int i = 0; i < PAIRS; i++) {
        uint64_t first = tsc_begin().ticks, second = tsc_end().ticks;
        overhead = second - first < overhead ? second - first : overhead;
    }
    unsigned step = session->instruments.chain.clock.step_ticks;
    double ns = 1e9 / session->instruments.tsc_hz, overhead_ns = (double)overhead * ns, resolution_ns = step * ns;
    selftest_judge(line, overhead_ns < 100 && resolution_ns < 50, overhead_ns, "ns",
                   "two successive readings are %.1f ns apart; steps of %.2f ns (%u tick%s)", overhead_ns,
                   resolution_ns, step, step == 1 ? "" : "s");
}

/* ---------------------------------------------------------------- the chain clock */

static void check_chains(struct session *session, struct selftest_line *line)
{
    struct clock_reading reading, best = {0};
    char why[SESSION_WHY] = "another thread on this core's sibling disturbs, try again on a quieter machine";
    double least = INFINITY, end_s = now_s() + patience_s;
    unsigned readings = 0, agreed = 0;
    do {
        reading = clock_read(&session->instruments.chain.clock);
        double apart = fabs(reading.add_hz / reading.imul_hz - 1);
        if (apart < least) {
            least = apart;
            best = reading;
        }
        readings++;
        agreed += reading.agrees;
    } while (now_s() < end_s && (agreed < 100 || readings < 200));
    bool pass = 2 * agreed >= readings || agreed >= 100;
    if (clock_reconciling_cycles(&best))
        clock_disagreement(&best, why, sizeof why);
    selftest_judge(line, pass, 100 * least, "%",
                   "%.3f GHz at %u cycles a multiply; %u of %u readings agree, the best to %.2f%%%s%s",
                   1e-9 * best.imul_hz, best.multiply_cycles, agreed, readings, 100 * least, pass ? "" : "; ",
                   pass ? "" : why);
}

static void check_sibling(struct session *session, struct selftest_line *line)
{
    enum { READINGS = 200, MOST = READINGS / 20 };
    double best = clock_issue_width(&session->instruments.chain.clock), end_s = now_s() + patience_s;
    unsigned shared;
    do {
        shared = 0;
        for (int i = 0; i < READINGS; i++)
            shared += clock_shared(clock_read(&session->instruments.chain.clock).issue_width, best);
    } while (shared > MOST && now_s() < end_s);
    if (shared > MOST)
        selftest_unavailable(line,
                             "another thread runs on this core's sibling: the issue width fell below %.0f%% of %.2f "
                             "in %u of %d readings; stop it, or measure on another core",
                             100 * CLOCK_SHARED_WIDTH, best, shared, READINGS);
    else
        selftest_judge(line, true, 100.0 * shared / READINGS, "%",
                       "issue width %.2f uops a cycle; below %.0f%% of it in %u of %d readings", best,
                       100 * CLOCK_SHARED_WIDTH, shared, READINGS);
}

/* ---------------------------------------------------------------- cost */

static void check_cost(struct session *session, struct selftest_line *line)
{
    static const double limit_s = 200e-9;
    char why[SESSION_WHY];
    struct team *team = session_team(session, 1, why, sizeof why);
    if (!team) {
        selftest_judge(line, false, NAN, "ns", "%s", why);
        return;
    }
    double cost_s = INFINITY, end_s = now_s() + 0.25 * patience_s;
    while (now_s() < end_s)
        cost_s = fmin(cost_s, sampler_bracket_s(team, &session->instruments));
    selftest_judge(line, cost_s < limit_s, 1e9 * cost_s, "ns", "%.0f ns for both ends together, with %s", 1e9 * cost_s,
                   session->instruments.in_sample ? "counters by rdpmc and the TSC" : "the TSC alone");
}

const struct selftest_check selftest_clock_checks[] = {
    {"affinity", "a bound thread stays on its core", false, check_affinity},
    {"tsc", "the TSC runs at one rate, to 100 ppm of CLOCK_MONOTONIC_RAW", false, check_tsc},
    {"timer", "reading the TSC twice takes under 100 ns and resolves 50 ns", true, check_timer},
    {"chains_agree", "the two clock chains agree within 1%", true, check_chains},
    {"sibling", "a quiet core is not mistaken for a shared one", true, check_sibling},
    {"sample_cost", "clock and counters around a sample cost under 200 ns", true, check_cost},
    {0},
};
