/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/clock.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* platforms/x86_64/clock_chain.S: 144 core cycles a block, result in TSC ticks. */
uint64_t clock_chain_imul_ticks(uint64_t blocks);
uint64_t clock_chain_add_ticks(uint64_t blocks);

/* 144 single nops a block. */
uint64_t clock_nop_ticks(uint64_t blocks);

enum { CYCLES_PER_BLOCK = 144, NOPS_PER_BLOCK = 144, SHORT_BLOCKS = 5, LONG_BLOCKS = 25, REPEATS = 4 };

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

double tsc_calibrate_hz(double span_s)
{
    double first_s, last_s;
    uint64_t first, last;
    read_pair(&first_s, &first);
    while (raw_s() - first_s < span_s)
        ;
    read_pair(&last_s, &last);
    return (double)(last - first) / (last_s - first_s);
}

/** TSC ticks of LONG_BLOCKS - SHORT_BLOCKS blocks, without the timer; 0 if it could not be told. */
static double ticks_between(uint64_t (*chain)(uint64_t blocks))
{
    uint64_t least_short = UINT64_MAX, least_long = UINT64_MAX;
    for (int i = 0; i < REPEATS; i++) {
        uint64_t ticks = chain(SHORT_BLOCKS);
        least_short = ticks < least_short ? ticks : least_short;
        ticks = chain(LONG_BLOCKS);
        least_long = ticks < least_long ? ticks : least_long;
    }
    return least_long > least_short ? (double)(least_long - least_short) : 0;
}

static double chain_hz(uint64_t (*chain)(uint64_t blocks), double tsc_hz)
{
    double ticks = ticks_between(chain);
    return ticks > 0 ? CYCLES_PER_BLOCK * (LONG_BLOCKS - SHORT_BLOCKS) * tsc_hz / ticks : 0;
}

static bool within(double a, double b, double tolerance)
{
    return a > 0 && b > 0 && fabs(a - b) <= tolerance * fmax(a, b);
}

struct clock_reading clock_read(double tsc_hz)
{
    struct clock_reading reading = {.imul_hz = chain_hz(clock_chain_imul_ticks, tsc_hz),
                                    .add_hz = chain_hz(clock_chain_add_ticks, tsc_hz)};
    reading.agrees = within(reading.imul_hz, reading.add_hz, CLOCK_AGREEMENT);
    double nop_cycles = ticks_between(clock_nop_ticks) / tsc_hz * reading.imul_hz;
    reading.issue_width = nop_cycles > 0 ? NOPS_PER_BLOCK * (LONG_BLOCKS - SHORT_BLOCKS) / nop_cycles : 0;
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
