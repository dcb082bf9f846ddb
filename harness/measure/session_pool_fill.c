/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Weights of formats and sequences that do not take any byte: the pool becomes a row of their units, a stretch drawn at
 * random and repeated, since a draw for each byte of a pool would take longer than what is measured on it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/session_pool.h"
#include "platforms/process/worker.h"
#include "results/refuse.h"

/**
 * Drawn before it is repeated. Repeats at an odd number of granules, so that cache sets and pages see no period. Of
 * sequences less, since they take turns with the pool.
 */
enum { STRETCH_BYTES = 2 << 20, SEQUENCE_STRETCH_BYTES = 256 << 10 };

struct filling {
    struct session *session;
    unsigned threads;
    struct session_pool_filling with; /* bytes 0: all */
    size_t unit_bytes, granule;
    const uint8_t *drawn; /* [threads][stretch] by somebody else; NULL: each member draws its own */
};

static size_t greatest_divisor(size_t a, size_t b)
{
    return b ? greatest_divisor(b, a % b) : a;
}

static void draw(const struct session_pool_filling *with, uint8_t *bytes, size_t units, uint64_t random)
{
    uint8_t unused[SEQUENCE_ACTIVATION_BYTES_MAX];
    if (with->sequence)
        sequence_draw(with->sequence, random, units, bytes, unused);
    else
        format_fill(with->format, bytes, units, with->k, &random);
}

/** What a member asks for, of the bytes that it has; whether they hold it already. */
static struct session_pool_filling asked_of(const struct filling *job, unsigned member)
{
    struct session_pool_filling with = job->with;
    size_t length = job->session->pool[member].length;
    with.bytes = with.bytes && with.bytes < length ? with.bytes : length;
    return with;
}

static bool holds(const struct filling *job, unsigned member)
{
    const struct session_pool_filling with = asked_of(job, member), *has = &job->session->pool_filling[member];
    return has->format == with.format && has->k == with.k && has->sequence == with.sequence && has->bytes >= with.bytes;
}

/** Bytes that are drawn for a member, whole units. */
static size_t stretch_of(const struct filling *job, unsigned member)
{
    size_t stretch = job->with.sequence ? SEQUENCE_STRETCH_BYTES : STRETCH_BYTES;
    size_t whole = asked_of(job, member).bytes / job->unit_bytes * job->unit_bytes;
    stretch = (stretch / job->granule | 1) * job->granule;
    return stretch < whole ? stretch : whole;
}

static void draw_stretch(const struct filling *job, unsigned member, uint8_t *bytes)
{
    draw(&job->with, bytes, stretch_of(job, member) / job->unit_bytes, 1 + member);
}

static void fill_member(void *context, unsigned member)
{
    const struct filling *job = context;
    struct memory_block *block = &job->session->pool[member];
    if (holds(job, member))
        return;
    const struct session_pool_filling with = asked_of(job, member);
    size_t stretch = stretch_of(job, member), whole = with.bytes / job->unit_bytes * job->unit_bytes, before = 0;
    for (unsigned i = 0; job->drawn && i < member; i++)
        before += stretch_of(job, i);
    if (job->drawn)
        memcpy(block->bytes, job->drawn + before, stretch);
    else
        draw_stretch(job, member, block->bytes);
    for (size_t at = stretch; at < whole; at += stretch)
        memcpy(block->bytes + at, block->bytes, whole - at < stretch ? whole - at : stretch);
    job->session->pool_filling[member] = with;
    if (!job->with.bytes)
        session_pool_clean(job->session, member, job->threads);
}

static struct filling filling_of(struct session *session, unsigned threads, const struct session_pool_filling *with,
                                 size_t unit)
{
    return (struct filling){
        .session = session,
        .threads = threads,
        .with = *with,
        .unit_bytes = unit,
        .granule = unit / greatest_divisor(unit, 64) * 64,
    };
}

/** @return the granule; 0 without a team */
static size_t fill(struct filling *job)
{
    char why[SESSION_WHY];
    struct team *team = session_team(job->session, job->threads, why, sizeof why);
    if (!team)
        return 0;
    team_run(team, fill_member, job);
    return job->granule;
}

static struct filling filling_of_format(struct session *session, unsigned threads, const struct format *format,
                                        size_t k)
{
    bool uniform = format_is_uniform(format);
    const struct session_pool_filling with = {.format = format, .k = uniform ? 0 : k};
    return filling_of(session, threads, &with, uniform ? format->step_bytes : format_panel_bytes(format, k));
}

size_t session_pool_fill(struct session *session, unsigned threads, const struct format *format, size_t k)
{
    if (!format->fill)
        return 64;
    struct filling job = filling_of_format(session, threads, format, k);
    return fill(&job);
}

/* ---- drawn by a worker ---- */

static void draw_all(void *context, struct worker *worker)
{
    const struct filling *job = context;
    for (unsigned t = 0; t < job->threads; t++) {
        size_t bytes = stretch_of(job, t);
        uint8_t *stretch = aligned_alloc(64, (bytes + 63) / 64 * 64);
        if (!stretch)
            return;
        worker_beat(worker_heart(worker));
        draw_stretch(job, t, stretch);
        worker_send(worker, stretch, bytes);
        free(stretch);
    }
}

static int refuse_fill(const struct worker_result *result, const struct format *format, char *why, size_t size)
{
    switch (result->outcome) {
    case WORKER_STOPPED: return -EINTR;
    case WORKER_HUNG:
        return refuse(-EILSEQ, why, size, "fill() of %s took more than %g s", format->name,
                      1e-3 * SESSION_POOL_FILL_LIMIT_MS);
    case WORKER_CRASHED:
        return refuse(-EILSEQ, why, size, "fill() of %s crashed: signal %d (%s)", format->name, result->detail,
                      strsignal(result->detail));
    case WORKER_EXITED:
        return refuse(-EILSEQ, why, size, "fill() of %s ended its process, with status %d", format->name,
                      result->detail);
    default: return refuse(-ENOMEM, why, size, "no memory for weights of %s", format->name);
    }
}

int session_pool_fill_apart(struct session *session, unsigned threads, const struct format *format, size_t k,
                            const volatile int *stop, char *why, size_t size)
{
    if (!format->fill)
        return 0;
    struct filling job = filling_of_format(session, threads, format, k);
    size_t bytes = 0;
    bool filled = true;
    for (unsigned t = 0; t < threads; t++) {
        filled &= holds(&job, t);
        bytes += stretch_of(&job, t);
    }
    if (filled)
        return 0;
    const struct worker_job work = {
        .body = draw_all, .context = &job, .limit_ms = SESSION_POOL_FILL_LIMIT_MS, .stop = stop};
    struct worker_result result;
    worker_run(&work, &result);
    job.drawn = result.report;
    bool drawn = result.outcome == WORKER_RETURNED && result.report_bytes == bytes;
    int error = !drawn ? refuse_fill(&result, format, why, size) : fill(&job) ? 0 : -EINVAL;
    free(result.report);
    return error;
}

size_t session_pool_fill_sequence(struct session *session, unsigned threads, const struct sequence *sequence,
                                  size_t bytes)
{
    struct session_pool_filling with = {.sequence = sequence, .bytes = bytes};
    if (sequence->weight_values == SEQUENCE_BYTES)
        return 64;
    struct filling job = filling_of(session, threads, &with, sequence->weight_bytes);
    return fill(&job);
}
