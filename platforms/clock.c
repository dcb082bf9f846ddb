/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/clock.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* platforms/<architecture>/clock_chain.S, result in TSC ticks: multiplies, adds (one core cycle each), nops. */
uint64_t clock_chain_imul_ticks(uint64_t blocks);
uint64_t clock_chain_add_ticks(uint64_t blocks);
uint64_t clock_nop_ticks(uint64_t blocks);

/* MULTIPLY_CYCLES 0: it differs between the cores of this architecture. */
#if defined(__x86_64__)
enum { MULTIPLIES_PER_BLOCK = 48, MULTIPLY_CYCLES = 3 };
#else
enum { MULTIPLIES_PER_BLOCK = 36, MULTIPLY_CYCLES = 0 };
#endif
enum { ADDS_PER_BLOCK = 144, NOPS_PER_BLOCK = 144, SHORT_BLOCKS = 5, LEAST_BLOCKS = 20, REPEATS = 4 };

/* Adds at the clock of the fastest core that make so many ticks resolve the agreement of the chains. */
static const double LEAST_TICKS = 600, FASTEST_HZ = 5e9;

static double raw_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/** TSC and raw time read together: the pair with the shortest bracket of several. */
static void read_pair(double *time_s, uint64_t *ticks)
{
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < 16; i++) {
        uint64_t before = tsc_begin().ticks;
        double time = raw_s();
        uint64_t after = tsc_end().ticks;
        if (after - before < best) {
            best = after - before;
            *time_s = time;
            *ticks = before + best / 2;
        }
    }
}

/** What the CPU says of its timer, 0 if nothing. */
static double stated_hz(void)
{
#if defined(__aarch64__)
    uint64_t hz;
    __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
    return (double)hz;
#else
    return 0;
#endif
}

double tsc_calibrate_hz(double span_s)
{
    static const double tolerance = 1e-3; /* firmware that states a wrong frequency is far off */
    double first_s, last_s;
    uint64_t first, last;
    read_pair(&first_s, &first);
    while (raw_s() - first_s < span_s)
        ;
    read_pair(&last_s, &last);
    double hz = (double)(last - first) / (last_s - first_s), stated = stated_hz();
    return fabs(hz - stated) <= tolerance * stated ? stated : hz;
}

/** Seconds of one block, without the timer and the loop; 0 if it could not be told. */
static double block_s(uint64_t (*chain)(uint64_t blocks), double tsc_hz)
{
    double needed = LEAST_TICKS / tsc_hz * FASTEST_HZ / ADDS_PER_BLOCK;
    uint64_t blocks = needed > LEAST_BLOCKS ? (uint64_t)needed : LEAST_BLOCKS;
    uint64_t least_short = UINT64_MAX, least_long = UINT64_MAX;
    for (int i = 0; i < REPEATS; i++) {
        uint64_t ticks = chain(SHORT_BLOCKS);
        least_short = ticks < least_short ? ticks : least_short;
        ticks = chain(SHORT_BLOCKS + blocks);
        least_long = ticks < least_long ? ticks : least_long;
    }
    return least_long > least_short ? (double)(least_long - least_short) / tsc_hz / (double)blocks : 0;
}

static bool within(double a, double b, double tolerance)
{
    return a > 0 && b > 0 && fabs(a - b) <= tolerance * fmax(a, b);
}

unsigned clock_multiply_cycles(double ratio)
{
    return ratio >= 1.5 && ratio < 6.5 ? (unsigned)lround(ratio) : 0;
}

struct clock_reading clock_read(double tsc_hz)
{
    struct clock_reading reading = {0};
    double multiply_s = block_s(clock_chain_imul_ticks, tsc_hz) / MULTIPLIES_PER_BLOCK;
    double add_s = block_s(clock_chain_add_ticks, tsc_hz) / ADDS_PER_BLOCK;
    double nop_s = block_s(clock_nop_ticks, tsc_hz) / NOPS_PER_BLOCK;
    if (add_s > 0)
        reading.add_hz = 1 / add_s;
    unsigned cycles = MULTIPLY_CYCLES ? MULTIPLY_CYCLES : clock_multiply_cycles(multiply_s / add_s);
    if (multiply_s > 0)
        reading.imul_hz = cycles / multiply_s;
    reading.agrees = within(reading.imul_hz, reading.add_hz, CLOCK_AGREEMENT);
    if (nop_s > 0 && reading.imul_hz > 0)
        reading.issue_width = 1 / (nop_s * reading.imul_hz);
    return reading;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double clock_issue_width(double tsc_hz)
{
    enum { READINGS = 33 };
    double width[READINGS];
    for (int i = 0; i < READINGS; i++)
        width[i] = clock_read(tsc_hz).issue_width;
    qsort(width, READINGS, sizeof *width, ascending);
    return width[READINGS / 2];
}

double clock_learn_issue_width(double known, double width)
{
    static const double share = 0.02;
    if (!(width > 0))
        return known;
    if (!(known > 0))
        return width;
    return width > 0.9 * known ? known + share * (width - known) : known;
}

bool clock_shared(double issue_width, double undisturbed_width)
{
    return issue_width > 0 && issue_width < CLOCK_SHARED_WIDTH * undisturbed_width;
}

struct clock_sample clock_around(struct clock_reading before, struct clock_reading after)
{
    return (struct clock_sample){
        .core_hz = 0.5 * (before.imul_hz + after.imul_hz),
        .agrees = before.agrees && after.agrees,
        .drifted = !within(before.imul_hz, after.imul_hz, CLOCK_AGREEMENT),
        .issue_width = fmin(before.issue_width, after.issue_width),
    };
}

double clock_monotonic_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
