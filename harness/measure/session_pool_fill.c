/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Weights of formats and sequences that do not take any byte: one stretch of their units is drawn, and what is read of a
 * pool is copies of it. A pool is a multiple of the last-level caches, gigabytes on some machines, and a visit reads a few
 * dozen megabytes of it; so a place is written when a read comes to it and not before. It is written past the caches, so it
 * is as cold as the places that were written a lap ago. Where the CPU has no such stores the whole pool is written at
 * once, and enough of it is read that the caches have let go of it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/session_pool.h"
#include "platforms/process/worker.h"
#include "results/text/refuse.h"

/**
 * Drawn before it is repeated. Repeats at an odd number of granules, so that cache sets and pages see no period.
 */
enum { STRETCH_BYTES = 256 << 10 };

struct filling {
    struct session *session;
    unsigned threads;
    struct session_pool_filling with;
    struct session_pool_need need;
    size_t unit_bytes, granule;
};

static size_t greatest_divisor(size_t a, size_t b)
{
    return b ? greatest_divisor(b, a % b) : a;
}

/* ---- the stretch ---- */

static size_t stretch_of(const struct filling *job)
{
    return (STRETCH_BYTES / job->granule | 1) * job->granule;
}

static void draw(const struct filling *job, uint8_t *bytes)
{
    const struct session_pool_filling *with = &job->with;
    uint8_t unused[SEQUENCE_ACTIVATION_BYTES_MAX];
    size_t units = stretch_of(job) / job->unit_bytes;
    uint64_t random = 1;
    if (with->sequence)
        sequence_draw(with->sequence, random, units, bytes, unused);
    else
        format_fill(with->format, bytes, units, with->k, &random);
}

static bool is_drawn(const struct filling *job)
{
    const struct session_pool_drawn *drawn = &job->session->pool_drawn;
    return drawn->stretch && drawn->of.format == job->with.format && drawn->of.k == job->with.k &&
           drawn->of.sequence == job->with.sequence;
}

/** Take a stretch over, drawn or to be drawn; what the pools hold is of another one. */
static void adopt(const struct filling *job, uint8_t *stretch)
{
    struct session_pool_drawn *drawn = &job->session->pool_drawn;
    free(drawn->stretch);
    *drawn = (struct session_pool_drawn){.of = job->with, .stretch = stretch, .length = stretch_of(job)};
    for (unsigned t = 0; t < job->session->threads; t++) {
        struct session_pool_held *held = &job->session->pool_held[t];
        held->bytes = 0;
        if (held->chunk)
            memset(held->chunk, 0, held->chunks);
    }
}

/** @return 0 or -ENOMEM */
static int draw_once(const struct filling *job)
{
    if (is_drawn(job))
        return 0;
    uint8_t *stretch = aligned_alloc(64, stretch_of(job));
    if (!stretch)
        return -ENOMEM;
    draw(job, stretch);
    adopt(job, stretch);
    return 0;
}

/* ---- its copies ---- */

/** From a multiple of 64 on. */
static void write_copies(const struct session *session, unsigned member, size_t from, size_t to)
{
    const struct session_pool_drawn *drawn = &session->pool_drawn;
    while (from < to) {
        size_t phase = from % drawn->length, rest = drawn->length - phase, bytes = to - from < rest ? to - from : rest;
        memory_copy_past_caches(session->pool[member].bytes + from, drawn->stretch + phase, bytes);
        from += bytes;
    }
}

/** Of a chunk at least what lies before `to`. */
static void hold_chunk(struct session *session, unsigned member, size_t chunk, size_t to)
{
    struct session_pool_held *held = &session->pool_held[member];
    size_t first = chunk * SESSION_POOL_CHUNK_BYTES, end = first + SESSION_POOL_CHUNK_BYTES,
           length = session->pool[member].length;
    end = end < length ? end : length;
    to = to < end ? to : end;
    if (held->chunk[chunk] || held->bytes >= to)
        return;
    write_copies(session, member, first, to);
    held->chunk[chunk] = to == end;
}

/** The first bytes of a member's pool, and not more. @return whether any was written */
static bool hold_first(struct session *session, unsigned member, size_t bytes)
{
    struct session_pool_held *held = &session->pool_held[member];
    bytes = bytes < session->pool[member].length ? bytes : session->pool[member].length;
    if (held->bytes >= bytes)
        return false;
    for (size_t chunk = held->bytes / SESSION_POOL_CHUNK_BYTES; chunk * SESSION_POOL_CHUNK_BYTES < bytes; chunk++)
        hold_chunk(session, member, chunk, bytes);
    held->bytes = bytes;
    return true;
}

/** Any bytes of it. */
static void hold(struct session *session, unsigned member, size_t from, size_t bytes)
{
    for (size_t chunk = from / SESSION_POOL_CHUNK_BYTES;
         session->pool_drawn.wanted && chunk * SESSION_POOL_CHUNK_BYTES < from + bytes; chunk++)
        hold_chunk(session, member, chunk, SIZE_MAX);
}

const uint8_t *session_cold_weights(struct session *session, unsigned member, unsigned threads, size_t bytes,
                                    size_t granule)
{
    const uint8_t *place = session_cold_place(session, member, threads, bytes, granule);
    hold(session, member, (size_t)(place - session->pool[member].bytes), bytes);
    return place;
}

void session_cold_weights_ahead(struct session *session, unsigned member, unsigned threads, size_t bytes,
                                size_t granule)
{
    size_t at = session->pool_at[member];
    session_cold_weights(session, member, threads, bytes, granule);
    session->pool_at[member] = at;
}

static void fill_member(void *context, unsigned member)
{
    const struct filling *job = context;
    bool all = job->need.places && !MEMORY_COPIES_PAST_CACHES;
    if (hold_first(job->session, member, all ? SIZE_MAX : job->need.bytes) && all)
        session_pool_clean(job->session, member, job->threads);
}

/* ---- what is asked for ---- */

static struct filling filling_of(struct session *session, unsigned threads, const struct session_pool_filling *with,
                                 size_t unit, struct session_pool_need need)
{
    return (struct filling){
        .session = session,
        .threads = threads,
        .with = *with,
        .need = need,
        .unit_bytes = unit,
        .granule = unit / greatest_divisor(unit, 64) * 64,
    };
}

/** @return the granule; 0 without a team or memory */
static size_t fill(struct filling *job)
{
    char why[SESSION_WHY];
    struct team *team = session_team(job->session, job->threads, why, sizeof why);
    if (!team || draw_once(job))
        return 0;
    job->session->pool_drawn.wanted = true;
    team_run(team, fill_member, job);
    return job->granule;
}

static struct filling filling_of_format(struct session *session, unsigned threads, const struct format *format,
                                        size_t k, struct session_pool_need need)
{
    bool uniform = format_is_uniform(format);
    const struct session_pool_filling with = {.format = format, .k = uniform ? 0 : k};
    return filling_of(session, threads, &with, uniform ? format->step_bytes : format_panel_bytes(format, k), need);
}

size_t session_pool_fill(struct session *session, unsigned threads, const struct format *format, size_t k,
                         struct session_pool_need need)
{
    session->pool_drawn.wanted = false;
    if (!format->fill)
        return 64;
    struct filling job = filling_of_format(session, threads, format, k, need);
    return fill(&job);
}

/* ---- drawn by a worker ---- */

static void draw_apart(void *context, struct worker *worker)
{
    const struct filling *job = context;
    uint8_t *stretch = aligned_alloc(64, stretch_of(job));
    if (!stretch)
        return;
    draw(job, stretch);
    worker_send(worker, stretch, stretch_of(job));
    free(stretch);
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
    case WORKER_WROTE:
        return refuse(-EILSEQ, why, size, "fill() of %s wrote to a descriptor that is not its own", format->name);
    case WORKER_EXITED:
        return refuse(-EILSEQ, why, size, "fill() of %s ended its process, with status %d", format->name,
                      result->detail);
    default: return refuse(-ENOMEM, why, size, "no memory for weights of %s", format->name);
    }
}

/** By a worker, whose stretch is taken over. */
static int draw_once_apart(const struct filling *job, const volatile int *stop, char *why, size_t size)
{
    const struct worker_job work = {
        .body = draw_apart, .context = (void *)job, .limit_ms = SESSION_POOL_FILL_LIMIT_MS, .stop = stop};
    struct worker_result result;
    if (is_drawn(job))
        return 0;
    worker_run(&work, &result);
    bool drawn = result.outcome == WORKER_RETURNED && result.report_bytes == stretch_of(job);
    if (drawn)
        adopt(job, result.report);
    else
        free(result.report);
    return drawn ? 0 : refuse_fill(&result, job->with.format, why, size);
}

int session_pool_fill_apart(struct session *session, unsigned threads, const struct format *format, size_t k,
                            struct session_pool_need need, const volatile int *stop, char *why, size_t size)
{
    session->pool_drawn.wanted = false;
    if (!format->fill)
        return 0;
    struct filling job = filling_of_format(session, threads, format, k, need);
    int error = draw_once_apart(&job, stop, why, size);
    return error ? error : fill(&job) ? 0 : -EINVAL;
}

size_t session_pool_fill_sequence(struct session *session, unsigned threads, const struct sequence *sequence,
                                  struct session_pool_need need)
{
    const struct session_pool_filling with = {.sequence = sequence};
    session->pool_drawn.wanted = false;
    if (sequence->weight_values == SEQUENCE_BYTES)
        return 64;
    struct filling job = filling_of(session, threads, &with, sequence->weight_bytes, need);
    return fill(&job);
}
