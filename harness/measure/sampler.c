/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/sampler.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>

#include "platforms/clock/clock.h"
#include "platforms/clock/quiet.h"

/** Times that nothing is sampled to learn what the counters count of themselves. */
enum { EMPTY_SAMPLES = 8 };

/** What was counted of one member in one sample. */
struct counts {
    counter_set measured;
    double of[COUNTER_QUANTITIES]; /* 0 where not measured */
};

/** What one member saw of one sample. On a line of its own: no false sharing with a neighbour. */
struct observation {
    _Alignas(64) struct tsc_ticks begin;
    struct tsc_ticks end;
    struct clock_sample clock;
    struct quiet_usage usage;
    bool interrupted, proven, moved;
    double pmu_hz; /* counted core cycles over time; 0: not counted */
    struct counts counts;
    struct os_entry_counts entered;
};

/** What a member watches its samples with, beside the clocks. */
struct witness {
    struct counters *counters;  /* NULL: none can be read here */
    struct os_entries *entries; /* NULL: no proof is asked for */
    uint64_t empty_ticks;       /* of the clock around nothing */
    struct counts empty;        /* of the counters around that */
};

/** One call of sampler_take. */
struct sampling {
    struct team *team;
    struct instruments *instruments;
    const struct sampler_work *work;
    unsigned count;
    struct observation *seen; /* [count][threads] */
};

const char *sample_cause_name(enum sample_cause cause)
{
    static const char *const names[SAMPLE_CAUSES] = {"kept",        "interrupt", "context_switch", "page_fault",
                                                     "clock_drift", "sibling",   "moved"};
    return cause < SAMPLE_CAUSES ? names[cause] : "unknown";
}

const char *sample_grade_name(enum sample_grade grade)
{
    static const char *const names[SAMPLE_GRADES] = {"wall", "chain", "pmu"};
    return grade < SAMPLE_GRADES ? names[grade] : "unknown";
}

/* ---------------------------------------------------------------- one member, one sample */

/** The timed region and all that lies tightly around it. */
static void time_work(const struct witness *witness, const struct sampler_work *work, unsigned member, unsigned sample,
                      struct observation *seen)
{
    if (witness->entries)
        os_entries_begin(witness->entries);
    if (witness->counters)
        counters_begin(witness->counters);
    quiet_arm();
    seen->begin = tsc_begin();
    work->run(work->context, member, sample);
    seen->end = tsc_end();
    seen->interrupted = quiet_interrupted();
    quiet_disarm();
    if (witness->counters)
        counters_end(witness->counters);
    if (witness->entries)
        os_entries_end(witness->entries);
}

static struct counts read_counts(struct counters *counters)
{
    struct counters_sample sample;
    struct counts counts = {0};
    if (!counters)
        return counts;
    counters_result(counters, &sample);
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        if (sample.of[q].grade != COUNTER_MEASURED)
            continue;
        counts.measured |= COUNTER_SET(q);
        counts.of[q] = sample.of[q].value;
    }
    return counts;
}

/** Take off what the bracket itself counts, and turn cycles into the clock of the sample. */
static void digest_counts(const struct witness *witness, double tsc_hz, struct observation *seen)
{
    struct counts counts = read_counts(witness->counters);
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        counts.of[q] = fmax(0, counts.of[q] - witness->empty.of[q]);
    seen->counts = counts;
    uint64_t ticks = seen->end.ticks - seen->begin.ticks;
    bool timed = counts.measured & COUNTER_SET(COUNTER_CORE_CYCLES) && ticks > witness->empty_ticks;
    seen->pmu_hz = timed ? counts.of[COUNTER_CORE_CYCLES] / (double)(ticks - witness->empty_ticks) * tsc_hz : 0;
    seen->proven = witness->entries && os_entries_result(witness->entries, &seen->entered) == 0;
}

static void do_nothing(void *context, unsigned member, unsigned sample)
{
    (void)context, (void)member, (void)sample;
}

/** The least of several empty samples. */
static void measure_empty(struct witness *witness)
{
    const struct sampler_work nothing = {.run = do_nothing};
    witness->empty_ticks = UINT64_MAX;
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        witness->empty.of[q] = INFINITY;
    for (unsigned i = 0; i < EMPTY_SAMPLES; i++) {
        struct observation seen = {0};
        time_work(witness, &nothing, 0, i, &seen);
        struct counts counts = read_counts(witness->counters);
        uint64_t ticks = seen.end.ticks - seen.begin.ticks;
        witness->empty_ticks = ticks < witness->empty_ticks ? ticks : witness->empty_ticks;
        for (int q = 0; q < COUNTER_QUANTITIES; q++)
            witness->empty.of[q] = fmin(witness->empty.of[q], counts.of[q]);
    }
}

/** On the member's own thread. What cannot be opened here is missing from its samples, which say so by their grade. */
static struct witness open_witness(const struct sampling *sampling, unsigned member)
{
    const struct instruments *instruments = sampling->instruments;
    struct witness witness = {0};
    char why[COUNTERS_TEXT];
    struct counters_request request = {.cpu = team_cpus(sampling->team)[member], .quantities = instruments->in_sample};
    if (request.quantities &&
        counters_open(&instruments->plan, &instruments->system, &request, &witness.counters, why, sizeof why) != 0)
        witness.counters = NULL;
    if (instruments->prove && os_entries_open(&instruments->system, &witness.entries, why, sizeof why) != 0)
        witness.entries = NULL;
    if (witness.counters)
        measure_empty(&witness);
    return witness;
}

static void close_witness(struct witness *witness)
{
    counters_close(witness->counters);
    os_entries_close(witness->entries);
}

static void enter_region(const struct sampling *sampling)
{
    const struct likwid_marker *marker = sampling->instruments->marker;
    if (!marker || !sampling->work->region)
        return;
    likwid_marker_thread(marker);
    likwid_marker_begin(marker, sampling->work->region);
}

static void leave_region(const struct sampling *sampling)
{
    if (sampling->instruments->marker && sampling->work->region)
        likwid_marker_end(sampling->instruments->marker, sampling->work->region);
}

/** Before any member's first clock reading. Between system calls of one member the others only wait. */
static void begin_machine(const struct sampling *sampling, unsigned member)
{
    struct counters *machine = sampling->instruments->machine;
    if (!machine)
        return;
    if (member == 0)
        counters_begin(machine);
    team_barrier(sampling->team);
}

/** After every member's last clock reading, and before anybody prepares the next sample. */
static void end_machine(const struct sampling *sampling, unsigned member, struct observation *seen)
{
    struct counters *machine = sampling->instruments->machine;
    if (!machine)
        return;
    if (member == 0) {
        counters_end(machine);
        struct counts counts = read_counts(machine);
        seen->counts.measured |= counts.measured;
        for (int q = 0; q < COUNTER_QUANTITIES; q++)
            seen->counts.of[q] += counts.of[q];
    }
    team_barrier(sampling->team);
}

static void observe(void *context, unsigned member)
{
    struct sampling *sampling = context;
    const struct sampler_work *work = sampling->work;
    const double tsc_hz = sampling->instruments->tsc_hz;
    unsigned threads = team_threads(sampling->team);
    struct witness witness = open_witness(sampling, member);
    double *known_width = &sampling->instruments->issue_width_of[work->first_member + member];
    struct clock *clock = &sampling->instruments->clock_of[work->first_member + member];
    if (!(clock->tsc_hz > 0))
        clock_calibrate(tsc_hz, clock);
    if (!(*known_width > 0))
        *known_width = clock_issue_width(clock);
    enter_region(sampling);

    /* Between two samples with nothing in between, one reading of the clock is after the one and before the other. */
    const bool apart = work->before || sampling->instruments->machine;
    struct clock_reading before, after = {0};
    for (unsigned i = 0; i < sampling->count; i++) {
        struct observation *seen = &sampling->seen[(size_t)i * threads + member];
        if (member == 0)
            worker_beat(sampling->instruments->heart);
        if (work->before)
            work->before(work->context, member, i);
        begin_machine(sampling, member);
        struct quiet_usage usage = quiet_usage_read();
        before = apart || i == 0 ? clock_read(clock) : after;
        team_barrier(sampling->team);

        time_work(&witness, work, member, i, seen);

        after = clock_read(clock);
        seen->usage = quiet_usage_since(usage, quiet_usage_read());
        seen->moved = sched_getcpu() != (int)team_cpus(sampling->team)[member];
        seen->clock = clock_around(before, after);
        digest_counts(&witness, tsc_hz, seen);
        team_barrier(sampling->team);
        end_machine(sampling, member, seen);
    }
    leave_region(sampling);
    close_witness(&witness);
}

/* ---------------------------------------------------------------- all members of a sample */

enum sample_cause sampler_cause(struct sampler_disturbance seen, const struct sampler_work *work, double wall_s)
{
    if (work->sleeps)
        seen.switched = seen.interrupted = false;
    if (seen.moved)
        return SAMPLE_MOVED;
    bool hardly = wall_s >= SAMPLER_SWITCH_LIMIT_S && seen.off_s <= SAMPLER_OFF_SHARE * wall_s;
    if (seen.switched && !hardly)
        return SAMPLE_CONTEXT_SWITCH;
    if (seen.faulted)
        return SAMPLE_PAGE_FAULT;
    if (seen.interrupted && wall_s < SAMPLER_INTERRUPT_LIMIT_S)
        return SAMPLE_INTERRUPT;
    if (seen.shared)
        return SAMPLE_SIBLING; /* it also moves the clock readings */
    return seen.drifted && !work->moves_clock ? SAMPLE_CLOCK_DRIFT : SAMPLE_KEPT;
}

static void learn_clocks(struct sampling *sampling, unsigned threads)
{
    for (size_t i = 0; i < (size_t)sampling->count * threads; i++) {
        size_t member = sampling->work->first_member + i % threads;
        double *known = &sampling->instruments->issue_width_of[member];
        const struct clock_sample *clock = &sampling->seen[i].clock;
        sampling->instruments->reconciling_cycles_of[member] = clock->reconciling_cycles;
        if (clock->agrees)
            *known = clock_learn_issue_width(*known, clock->issue_width);
    }
}

static void disturb(struct sampler_disturbance *any, const struct observation *seen, double undisturbed_width)
{
    any->interrupted |= seen->interrupted;
    /* counted cycles are the clock where the chains show none */
    any->drifted |= seen->clock.drifted && !(seen->pmu_hz > 0 && seen->clock.core_hz <= 0);
    any->shared |= clock_shared(seen->clock.issue_width, undisturbed_width);
    any->switched |= seen->usage.involuntary_switches || seen->usage.voluntary_switches;
    any->off_s = fmax(any->off_s, seen->usage.off_s);
    any->moved |= seen->moved;
    any->faulted |= seen->usage.minor_faults || seen->usage.major_faults;
}

/** A member's counts; those of the machine come with the first member. */
static void add_counts(struct sample *sample, const struct observation *seen, bool first)
{
    sample->counted &= seen->counts.measured | (first ? 0 : COUNTER_SET_MACHINE);
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        sample->count[q] += seen->counts.of[q];
    sample->proven &= seen->proven;
    for (int e = 0; e < OS_ENTRIES; e++)
        sample->entered.of[e] = seen->entered.of[e] < 0 ? -1 : sample->entered.of[e] + seen->entered.of[e];
}

static struct sample judge(const struct observation *seen, unsigned threads, const struct instruments *instruments,
                           const double *undisturbed_widths, const struct sampler_work *work)
{
    struct sample sample = {.counted = COUNTER_SET_ALL, .proven = true};
    struct sampler_disturbance any = {0};
    uint64_t first = UINT64_MAX, last = 0;
    bool agrees = true, counted = true;
    double chain_hz = 0, pmu_hz = 0;
    for (unsigned t = 0; t < threads; t++) {
        first = seen[t].begin.ticks < first ? seen[t].begin.ticks : first;
        last = seen[t].end.ticks > last ? seen[t].end.ticks : last;
        chain_hz += seen[t].clock.core_hz / threads;
        pmu_hz += seen[t].pmu_hz / threads;
        agrees &= seen[t].clock.agrees;
        counted &= seen[t].pmu_hz > 0;
        disturb(&any, &seen[t], undisturbed_widths[t]);
        add_counts(&sample, &seen[t], t == 0);
    }
    sample.wall_s = (double)(last - first) / instruments->tsc_hz;
    if (sample.wall_s < SAMPLER_ENERGY_LEAST_S)
        sample.counted &= ~COUNTER_SET(COUNTER_PACKAGE_ENERGY_J);
    sample.core_hz = counted ? pmu_hz : chain_hz;
    sample.grade = counted ? SAMPLE_PMU : agrees && !any.drifted ? SAMPLE_CHAIN : SAMPLE_WALL;
    sample.interrupted = any.interrupted;
    sample.switched = any.switched;
    sample.off_core_share = any.switched && sample.wall_s > 0 ? fmin(1, fmax(0, any.off_s) / sample.wall_s) : 0;
    sample.cause = sampler_cause(any, work, sample.wall_s);
    return sample;
}

int sampler_take(struct team *team, struct instruments *instruments, const struct sampler_work *work,
                 struct sample *samples, unsigned count)
{
    unsigned threads = team_threads(team);
    struct sampling sampling = {.team = team, .instruments = instruments, .work = work, .count = count};
    size_t length = (size_t)count * threads * sizeof *sampling.seen;
    sampling.seen = aligned_alloc(64, length ? length : 64);
    if (!sampling.seen)
        return -ENOMEM;
    /* written here once, so that no member takes a fault on it while it samples */
    for (size_t i = 0; i < (size_t)count * threads; i++)
        sampling.seen[i] = (struct observation){0};

    team_run(team, observe, &sampling);

    learn_clocks(&sampling, threads);
    const double *widths = &instruments->issue_width_of[work->first_member];
    for (unsigned i = 0; i < count; i++) {
        samples[i] = judge(&sampling.seen[(size_t)i * threads], threads, instruments, widths, work);
        instruments->judged[samples[i].cause]++;
    }
    free(sampling.seen);
    return 0;
}

_Static_assert(SAMPLE_CAUSES <= (int)INSTRUMENTS_CAUSES_MAX, "instruments count samples of every cause");

void sampler_rejections(const struct instruments *instruments, char *text, size_t size)
{
    sampler_say_causes(instruments->judged, text, size);
}

void sampler_say_causes(const unsigned long judged[SAMPLE_CAUSES], char *text, size_t size)
{
    static const char *const words[SAMPLE_CAUSES] = {
        [SAMPLE_INTERRUPT] = "were interrupted",
        [SAMPLE_CONTEXT_SWITCH] = "were switched out",
        [SAMPLE_PAGE_FAULT] = "had a page fault",
        [SAMPLE_CLOCK_DRIFT] = "saw the core clock change",
        [SAMPLE_SIBLING] = "shared a core with others",
        [SAMPLE_MOVED] = "ran on a CPU other than theirs (is it offline?)"};
    unsigned long left[SAMPLE_CAUSES], all = 0;
    for (int cause = 0; cause < SAMPLE_CAUSES; cause++)
        all += left[cause] = judged[cause];
    if (all == left[SAMPLE_KEPT]) {
        snprintf(text, size, all ? "all %lu samples were kept" : "no sample was taken", all);
        return;
    }
    int at = snprintf(text, size, "of %lu samples", all);
    for (int most = 0;; left[most] = 0) {
        const char *comma = most ? ", " : " ";
        most = SAMPLE_INTERRUPT;
        for (int cause = SAMPLE_INTERRUPT; cause < SAMPLE_CAUSES; cause++)
            most = left[cause] > left[most] ? cause : most;
        if (!left[most] || at < 0 || (size_t)at >= size)
            return;
        at += snprintf(text + at, size - (size_t)at, "%s%lu %s", comma, left[most], words[most]);
    }
}

/* ---------------------------------------------------------------- cost */

struct cost {
    struct sampling sampling;
    double seconds;
};

static void measure_cost(void *context, unsigned member)
{
    enum { BATCHES = 50, BATCH = 20 };
    struct cost *cost = context;
    const struct sampler_work nothing = {.run = do_nothing};
    if (member)
        return;
    struct witness witness = open_witness(&cost->sampling, member);
    uint64_t least = UINT64_MAX;
    for (int batch = 0; batch < BATCHES; batch++) {
        struct observation seen = {0};
        uint64_t begin = tsc_begin().ticks;
        for (unsigned i = 0; i < BATCH; i++)
            time_work(&witness, &nothing, member, i, &seen);
        uint64_t ticks = tsc_end().ticks - begin;
        least = ticks < least ? ticks : least;
    }
    cost->seconds = (double)least / BATCH / cost->sampling.instruments->tsc_hz;
    close_witness(&witness);
}

double sampler_bracket_s(struct team *team, struct instruments *instruments)
{
    struct cost cost = {.sampling = {.team = team, .instruments = instruments}};
    team_run(team, measure_cost, &cost);
    return cost.seconds;
}
