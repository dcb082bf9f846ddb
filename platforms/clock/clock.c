/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/clock/clock.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* platforms/clock/<architecture>/clock_chain.S, result in TSC ticks: multiplies, adds (one core cycle each), nops. */
uint64_t clock_chain_imul_ticks(uint64_t blocks);
uint64_t clock_chain_add_ticks(uint64_t blocks);
uint64_t clock_nop_ticks(uint64_t blocks);

#if defined(__x86_64__)
enum { MULTIPLIES_PER_BLOCK = 48 };
#else
enum { MULTIPLIES_PER_BLOCK = 36 };
#endif
enum { ADDS_PER_BLOCK = 144, NOPS_PER_BLOCK = 144, SHORT_BLOCKS = 5, LEAST_BLOCKS = 40 };

/** Runs of a chain: until the least was seen twice, but no more than that. */
enum { CONFIRMED = 2, RUNS_MOST = 8 };

/* This many steps of the time-stamp counter, at the clock of the fastest core, that one step more or less at either end of
 * two readings stays below the agreement that is asked of them. */
static const double LEAST_STEPS = 400, FASTEST_HZ = 5e9;

static double raw_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/** TSC and raw time read together: the pair with the shortest bracket of several. */
static struct tsc_instant read_instant(void)
{
    struct tsc_instant instant = {0};
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < 16; i++) {
        uint64_t before = tsc_begin().ticks;
        double time_s = raw_s();
        uint64_t after = tsc_end().ticks;
        if (after - before < best) {
            best = after - before;
            instant = (struct tsc_instant){before + best / 2, time_s};
        }
    }
    return instant;
}

double tsc_hz_of(const struct tsc_instant instant[TSC_INSTANTS])
{
    double hz[TSC_INSTANTS - 1];
    for (int i = 0; i < TSC_INSTANTS - 1; i++)
        hz[i] =
            (double)(int64_t)(instant[i + 1].ticks - instant[i].ticks) / (instant[i + 1].time_s - instant[i].time_s);
    return fmax(fmin(hz[0], hz[1]), fmin(fmax(hz[0], hz[1]), hz[2]));
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
    struct tsc_instant instant[TSC_INSTANTS] = {read_instant()};
    for (int i = 1; i < TSC_INSTANTS; i++) {
        while (raw_s() - instant[0].time_s < i * span_s / (TSC_INSTANTS - 1))
            ;
        instant[i] = read_instant();
    }
    double hz = tsc_hz_of(instant), stated = stated_hz();
    return fabs(hz - stated) <= tolerance * stated ? stated : hz;
}

/* ---------------------------------------------------------------- how far the counter moves at once */

static int ascending_ticks(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

unsigned tsc_widest_gap(uint64_t *ticks, size_t count)
{
    uint64_t widest = 0;
    qsort(ticks, count, sizeof *ticks, ascending_ticks);
    for (size_t i = 1; i < count - count / 4; i++)
        widest = ticks[i] - ticks[i - 1] > widest ? ticks[i] - ticks[i - 1] : widest;
    return widest > 1 ? (unsigned)widest : 1;
}

/** A loop of this many cycles, which no reading overtakes. */
static void wait_cycles(unsigned cycles)
{
#if defined(__x86_64__)
    __asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(cycles)::"cc");
#else
    __asm__ volatile("1: subs %w0, %w0, 1\n\tb.ne 1b" : "+r"(cycles)::"cc");
#endif
}

unsigned tsc_step_ticks(void)
{
    enum { WAITS = 256, EACH = 4, TRIES = 5 };
    uint64_t ticks[WAITS * EACH];
    unsigned least = UINT_MAX;
    for (int attempt = 0; attempt < TRIES; attempt++) {
        for (unsigned i = 0; i < WAITS * EACH; i++) {
            uint64_t begin = tsc_begin().ticks;
            wait_cycles(1 + i % WAITS);
            ticks[i] = tsc_end().ticks - begin;
        }
        unsigned step = tsc_widest_gap(ticks, WAITS * EACH);
        least = step < least ? step : least;
    }
    return least;
}

/* ---------------------------------------------------------------- chains */

/** The least of what was seen, and how often: less than a tolerance above it counts as it. */
struct least {
    uint64_t ticks;
    unsigned seen;
};

static void see(struct least *least, uint64_t ticks, uint64_t tolerance)
{
    bool again = least->seen && ticks <= least->ticks + tolerance;
    bool lower = !least->seen || ticks < least->ticks;
    bool far_lower = !least->seen || ticks + tolerance < least->ticks;
    least->seen = far_lower ? 1 : least->seen + again;
    if (lower)
        least->ticks = ticks;
}

/** Seconds of one block, without the timer and the loop; 0 if it could not be told. */
static double block_s(uint64_t (*chain)(uint64_t blocks), const struct clock *clock)
{
    double needed = LEAST_STEPS * clock->step_ticks / clock->tsc_hz * FASTEST_HZ / ADDS_PER_BLOCK;
    uint64_t blocks = needed > LEAST_BLOCKS ? (uint64_t)needed : LEAST_BLOCKS;
    struct least few = {0}, many = {0};
    for (int run = 0; run < RUNS_MOST && (few.seen < CONFIRMED || many.seen < CONFIRMED); run++) {
        uint64_t ticks = chain(SHORT_BLOCKS + blocks);
        uint64_t tolerance = ticks / 500 > clock->step_ticks ? ticks / 500 : clock->step_ticks;
        see(&many, ticks, tolerance);
        see(&few, chain(SHORT_BLOCKS), tolerance);
    }
    return many.ticks > few.ticks ? (double)(many.ticks - few.ticks) / clock->tsc_hz / (double)blocks : 0;
}

static bool within(double a, double b, double tolerance)
{
    return a > 0 && b > 0 && fabs(a - b) <= tolerance * fmax(a, b);
}

unsigned clock_multiply_cycles(double ratio)
{
    return ratio >= 1.5 && ratio < CLOCK_MULTIPLY_CYCLES_MOST + 0.5 ? (unsigned)lround(ratio) : 0;
}

unsigned clock_reconciling_cycles(const struct clock_reading *reading)
{
    double ratio = reading->multiply_adds;
    unsigned cycles = clock_multiply_cycles(ratio);
    return !reading->agrees && cycles && within(cycles, ratio, CLOCK_AGREEMENT) ? cycles : 0;
}

void clock_disagreement(const struct clock_reading *reading, char *text, size_t size)
{
    unsigned cycles = clock_reconciling_cycles(reading);
    text[0] = '\0';
    if (cycles)
        snprintf(text, size,
                 "the two chains disagree: a multiply takes as long as %.2f adds, and was calibrated at %u "
                 "cycles; at %u they would agree",
                 reading->multiply_adds, reading->multiply_cycles, cycles);
    else if (!reading->multiply_cycles && reading->multiply_adds > 0)
        snprintf(text, size, "a multiply takes as long as %.2f adds, which no core does: its chain cannot be a clock",
                 reading->multiply_adds);
    else if (!(reading->imul_hz > 0 || reading->add_hz > 0))
        snprintf(text, size, "neither of the two chains could be timed");
    else if (!reading->agrees)
        snprintf(text, size, "the two chains disagree by %.1f%%: something shares this core",
                 100 * fabs(reading->imul_hz - reading->add_hz) / fmax(reading->imul_hz, reading->add_hz));
}

struct clock_reading clock_reading_of(struct clock_spans spans, unsigned multiply_cycles)
{
    struct clock_reading reading = {0};
    if (spans.add_s > 0)
        reading.add_hz = 1 / spans.add_s;
    if (spans.add_s > 0 && spans.multiply_s > 0)
        reading.multiply_adds = spans.multiply_s / spans.add_s;
    reading.multiply_cycles = multiply_cycles ? multiply_cycles : clock_multiply_cycles(reading.multiply_adds);
    if (spans.multiply_s > 0)
        reading.imul_hz = reading.multiply_cycles / spans.multiply_s;
    reading.agrees = within(reading.imul_hz, reading.add_hz, CLOCK_AGREEMENT);
    if (spans.nop_s > 0 && reading.imul_hz > 0)
        reading.issue_width = 1 / (spans.nop_s * reading.imul_hz);
    return reading;
}

struct clock_reading clock_read(const struct clock *clock)
{
    struct clock_spans spans = {
        .multiply_s = block_s(clock_chain_imul_ticks, clock) / MULTIPLIES_PER_BLOCK,
        .add_s = block_s(clock_chain_add_ticks, clock) / ADDS_PER_BLOCK,
        .nop_s = block_s(clock_nop_ticks, clock) / NOPS_PER_BLOCK,
    };
    return clock_reading_of(spans, clock->multiply_cycles);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/** Of readings of what does not change: a passing disturbance is outvoted. */
enum { READINGS = 33 };

static double median(double value[READINGS])
{
    qsort(value, READINGS, sizeof *value, ascending);
    return value[READINGS / 2];
}

void clock_calibrate(double tsc_hz, struct clock *clock)
{
    double ratio[READINGS];
    *clock = (struct clock){.tsc_hz = tsc_hz, .step_ticks = tsc_step_ticks()};
    for (int i = 0; i < READINGS; i++)
        ratio[i] = clock_read(clock).multiply_adds;
    clock->multiply_cycles = clock_multiply_cycles(median(ratio));
}

double clock_issue_width(const struct clock *clock)
{
    double width[READINGS];
    for (int i = 0; i < READINGS; i++)
        width[i] = clock_read(clock).issue_width;
    return median(width);
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
    unsigned reconciling = clock_reconciling_cycles(&before);
    return (struct clock_sample){
        .core_hz = 0.5 * (before.imul_hz + after.imul_hz),
        .agrees = before.agrees && after.agrees,
        .drifted = !within(before.imul_hz, after.imul_hz, CLOCK_AGREEMENT),
        .issue_width = fmin(before.issue_width, after.issue_width),
        .reconciling_cycles = reconciling == clock_reconciling_cycles(&after) ? reconciling : 0,
    };
}

double clock_monotonic_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

uint64_t seed_from_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    uint64_t mixed = ((uint64_t)time.tv_nsec ^ (uint64_t)time.tv_sec << 30) * 0x9e3779b97f4a7c15u;
    return mixed >> 32 | 1;
}
