/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Time and the core clock without a PMU.
 *
 * TSC ticks are wall time in another unit, not core cycles, and so have a type of their own. The core clock comes from
 * a dependent multiply chain, cross-checked with a dependent register add chain (1 cycle each), both run on the core
 * that is measured, just before and just after each sample. A multiply takes 3 cycles on most x86 cores, 6 on a Jaguar,
 * 5 on some Atoms, 2 to 5 on aarch64: how many is calibrated, once a core.
 *
 * The counter does not move by one tick at a time everywhere. An AMD Zen adds a multiple of its base clock's ratio every
 * 10 ns, so that two readings of a chain of a microsecond may differ by 2% at one clock; on aarch64 it is the generic
 * timer's CNTVCT_EL0 at 19.2 MHz to 1 GHz. Chains are as long as its steps are coarse.
 */

/** A reading or a span of the time-stamp counter (x86_64: TSC, aarch64: CNTVCT_EL0). */
struct tsc_ticks {
    uint64_t ticks;
};

#if defined(__x86_64__)
/** Read at the start of a timed region: nothing after it begins before it. */
static inline struct tsc_ticks tsc_begin(void)
{
    uint32_t low, high;
    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high)::"memory");
    return (struct tsc_ticks){(uint64_t)high << 32 | low};
}

/** Read at the end of a timed region: everything before it is complete. No rdtscp: guests of models such as kvm64 have none. */
static inline struct tsc_ticks tsc_end(void)
{
    return tsc_begin();
}
#elif defined(__aarch64__)
static inline struct tsc_ticks tsc_begin(void)
{
    uint64_t ticks;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks)::"memory");
    return (struct tsc_ticks){ticks};
}

/** isb waits for instructions, not for the data of loads that are not used yet: dsb waits for those. */
static inline struct tsc_ticks tsc_end(void)
{
    uint64_t ticks;
    __asm__ volatile("dsb nshld\n\tisb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks)::"memory");
    return (struct tsc_ticks){ticks};
}
#else
#error "the clock of this architecture is not written yet: x86_64 and aarch64 only"
#endif

/** The counter and a clock, read together. */
struct tsc_instant {
    uint64_t ticks;
    double time_s;
};

/** Instants that a calibration takes, evenly spaced. */
enum { TSC_INSTANTS = 4 };

/**
 * TSC frequency in Hz: the median over the spans between neighbours. A host that stops its guest, moves it or corrects its
 * clock meanwhile moves one of the two and not the other; that span is outvoted.
 * @return Hz; 0 or less if the counter stands still
 */
double tsc_hz_of(const struct tsc_instant instant[TSC_INSTANTS]);

/**
 * TSC frequency in Hz against CLOCK_MONOTONIC_RAW over about span_s seconds. Where the CPU states one (aarch64:
 * CNTFRQ_EL0, set by the firmware) and this agrees to 0.1%, the stated one.
 * @return Hz, > 0
 */
double tsc_calibrate_hz(double span_s);

/** Seconds of CLOCK_MONOTONIC: for deadlines and durations of the harness, not for samples. */
double clock_monotonic_s(void);

/**
 * Ticks that the counter moves by at once: the least of several tries, since a disturbance can only widen the gaps
 * between spans. About half a millisecond.
 * @return >= 1
 */
unsigned tsc_step_ticks(void);

/**
 * The widest gap between neighbours of three quarters of these spans, the shorter ones. Of spans that really lie densely
 * it is how far the counter moves at once, also where a hypervisor's scaling makes steps of 25 and of 26 ticks.
 * @param ticks  count of them, sorted on return
 * @return       >= 1
 */
unsigned tsc_widest_gap(uint64_t *ticks, size_t count);

/** How the clock of a core is read; the same for all cores of a kind. */
struct clock {
    double tsc_hz;            /* from tsc_calibrate_hz */
    unsigned step_ticks;      /* that the time-stamp counter moves by at once, >= 1 */
    unsigned multiply_cycles; /* latency of a multiply; 0: what each reading's own ratio says */
};

/** Of the calling core: about two milliseconds. */
void clock_calibrate(double tsc_hz, struct clock *clock);

/** What the two chains said. */
struct clock_reading {
    double imul_hz, add_hz; /* core clock by the multiply and by the add chain, Hz; 0 if a chain could not be timed */
    bool agrees;            /* both within CLOCK_AGREEMENT of each other */
    double issue_width;     /* uops a cycle that the front end issued, from a run of nops; 0 if it could not be timed */
    double multiply_adds;   /* time of a multiply over that of an add; 0 if a chain could not be timed */
    unsigned multiply_cycles; /* the latency that imul_hz rests on; 0: none is known */
};

/** Tolerated relative difference between the chains, and between the readings before and after a sample. */
#define CLOCK_AGREEMENT 0.01

/**
 * Core cycles of one multiply: the whole number next to its time over that of one add. Taken once, from the median of
 * many readings; a chain that is disturbed later still disagrees, since the latency stays.
 *
 * @param ratio  time of a multiply / time of an add
 * @return       2 … CLOCK_MULTIPLY_CYCLES_MOST, 0 if the ratio is out of range or NaN
 */
unsigned clock_multiply_cycles(double ratio);

/** An in-order Atom takes 14; far beyond, every ratio lies within 1% of a whole number. */
#define CLOCK_MULTIPLY_CYCLES_MOST 20

/**
 * The latency of a multiply at which chains that disagree would agree: they do so by a whole ratio, which is no
 * disturbance but another latency than was calibrated, as on a core of another kind.
 * @return cycles; 0 if the chains agree, or disagree by no whole ratio
 */
unsigned clock_reconciling_cycles(const struct clock_reading *reading);

/**
 * Why the chains disagree, and at which latency they would not if there is one. Empty if they agree; nothing is divided
 * by 0 where a chain could not be timed.
 */
void clock_disagreement(const struct clock_reading *reading, char *text, size_t size);

/** What was timed: seconds of one multiply, one add, one nop; 0 for what could not be. */
struct clock_spans {
    double multiply_s, add_s, nop_s;
};

/** @param multiply_cycles  as in struct clock */
struct clock_reading clock_reading_of(struct clock_spans spans, unsigned multiply_cycles);

/**
 * Run both chains on the calling core: about 15 microseconds where the counter resolves a nanosecond, 30 on an AMD Zen,
 * up to 0.5 ms with a timer of 20 MHz. Each chain is timed at two lengths and subtracted, so the cost of reading the TSC
 * cancels. Interference can only slow a chain: the least of several runs is taken, and a chain runs again until its
 * least was seen twice, up to eight times.
 */
struct clock_reading clock_read(const struct clock *clock);

/** Issue width of the calling core: the median of some readings, about a millisecond. */
double clock_issue_width(const struct clock *clock);

/**
 * Follow the issue width of an undisturbed core from reading to reading. It is drawn towards readings near and above it
 * by a small share, so that neither a reading that came out too wide (its chain was disturbed) nor a lasting sibling
 * thread moves it far, and a start that was too low is made good.
 *
 * @param known  what is known so far, 0 for nothing: begin with clock_issue_width or a median
 * @param width  a reading on which the chains agree
 */
double clock_learn_issue_width(double known, double width);

/**
 * Below this share of the issue width of the undisturbed core a thread on the sibling hardware thread took issue slots.
 * Two busy siblings take turns, so that a run of nops falls to about half (0.36 to 0.64 were seen); a quiet core stays
 * within 0.05 of its best. Three quarters lie far from both.
 */
#define CLOCK_SHARED_WIDTH 0.75

/** Whether the core was shared with a sibling thread, from an issue width and the undisturbed one (0: unknown). */
bool clock_shared(double issue_width, double undisturbed_width);

/** Core clock of a sample from the readings around it. */
struct clock_sample {
    double core_hz;              /* mean of the two imul readings */
    bool agrees;                 /* the chains agreed before and after */
    bool drifted;                /* the clock moved by more than CLOCK_AGREEMENT across the sample */
    double issue_width;          /* the lesser of the two */
    unsigned reconciling_cycles; /* clock_reconciling_cycles of both readings, if they say the same; else 0 */
};
struct clock_sample clock_around(struct clock_reading before, struct clock_reading after);

/** A seed when none was given: another one each time, from the clock; in [1, 2^32), short enough to be typed again. */
uint64_t seed_from_clock(void);
