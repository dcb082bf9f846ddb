/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/sampler.h"

#include <errno.h>
#include <stdlib.h>

#include "platforms/clock.h"
#include "platforms/quiet.h"

/** What one member saw of one sample. On a line of its own: no false sharing with a neighbour. */
struct observation {
    _Alignas(64) struct tsc_ticks begin;
    struct tsc_ticks end;
    struct clock_sample clock;
    struct quiet_usage usage;
    bool interrupted;
};

struct session {
    struct team *team;
    double tsc_hz;
    const struct sampler_work *work;
    unsigned count;
    struct observation *seen;  /* [count][threads] */
};

const char *sample_cause_name(enum sample_cause cause)
{
    static const char *const names[SAMPLE_CAUSES] = {"kept", "interrupt", "context_switch", "page_fault", "clock_drift"};
    return cause < SAMPLE_CAUSES ? names[cause] : "unknown";
}

static void observe(void *context, unsigned member)
{
    struct session *session = context;
    const struct sampler_work *work = session->work;
    unsigned threads = team_threads(session->team);

    for (unsigned i = 0; i < session->count; i++) {
        struct observation *seen = &session->seen[(size_t)i * threads + member];
        if (work->before)
            work->before(work->context, member, i);
        struct quiet_usage usage = quiet_usage_read();
        struct clock_reading before = clock_read(session->tsc_hz);
        team_barrier(session->team);

        quiet_arm();
        seen->begin = tsc_begin();
        work->run(work->context, member, i);
        seen->end = tsc_end();
        seen->interrupted = quiet_interrupted();
        quiet_disarm();

        struct clock_reading after = clock_read(session->tsc_hz);
        seen->usage = quiet_usage_since(usage, quiet_usage_read());
        seen->clock = clock_around(before, after);
        team_barrier(session->team);
    }
}

enum sample_cause sampler_cause(struct sampler_disturbance seen, double wall_s)
{
    if (seen.switched)
        return SAMPLE_CONTEXT_SWITCH;
    if (seen.faulted)
        return SAMPLE_PAGE_FAULT;
    if (seen.interrupted && wall_s < SAMPLER_INTERRUPT_LIMIT_S)
        return SAMPLE_INTERRUPT;
    return seen.drifted ? SAMPLE_CLOCK_DRIFT : SAMPLE_KEPT;
}

static struct sample judge(const struct observation *seen, unsigned threads, double tsc_hz)
{
    struct sample sample = {.clock_agrees = true};
    struct sampler_disturbance any = {0};
    uint64_t first = UINT64_MAX, last = 0;
    for (unsigned t = 0; t < threads; t++) {
        first = seen[t].begin.ticks < first ? seen[t].begin.ticks : first;
        last = seen[t].end.ticks > last ? seen[t].end.ticks : last;
        sample.core_hz += seen[t].clock.core_hz / threads;
        sample.clock_agrees &= seen[t].clock.agrees;
        any.interrupted |= seen[t].interrupted;
        any.drifted |= seen[t].clock.drifted;
        any.switched |= seen[t].usage.involuntary_switches || seen[t].usage.voluntary_switches;
        any.faulted |= seen[t].usage.minor_faults || seen[t].usage.major_faults;
    }
    sample.wall_s = (double)(last - first) / tsc_hz;
    sample.interrupted = any.interrupted;
    sample.cause = sampler_cause(any, sample.wall_s);
    return sample;
}

int sampler_take(struct team *team, double tsc_hz, const struct sampler_work *work, struct sample *samples,
                 unsigned count)
{
    unsigned threads = team_threads(team);
    struct session session = {.team = team, .tsc_hz = tsc_hz, .work = work, .count = count};
    size_t length = (size_t)count * threads * sizeof *session.seen;
    session.seen = aligned_alloc(64, length ? length : 64);
    if (!session.seen)
        return -ENOMEM;
    /* written here once, so that no member takes a fault on it inside the session */
    for (size_t i = 0; i < (size_t)count * threads; i++)
        session.seen[i] = (struct observation){0};

    team_run(team, observe, &session);

    for (unsigned i = 0; i < count; i++)
        samples[i] = judge(&session.seen[(size_t)i * threads], threads, tsc_hz);
    free(session.seen);
    return 0;
}
