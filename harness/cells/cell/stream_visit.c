/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/stream_visit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/session_level.h"
#include "harness/measure/session_pool.h"

/** Bytes that a core reads in a second. */
static const double SLOW_MEMORY = 8e9, SLOW_CACHE = 30e9;

struct job {
    struct session *session;
    const struct cell *cell;
    const struct session_stream *stream;
    size_t bytes;
    const uint8_t *place[SESSION_CPUS_MAX];
};

size_t stream_visit_size(const struct session *session, struct cell *cell, const char *level, unsigned threads,
                         size_t memory_bytes)
{
    enum { CACHE_SAMPLE_BYTES = 4 << 20 };
    cell->threads = threads;
    cell->cold = strcmp(level, "memory") == 0;
    cell->repeats = 1;
    if (cell->cold)
        return memory_bytes;
    size_t bytes = session_cache_bytes(session, level, threads);
    cell->repeats = (unsigned)(CACHE_SAMPLE_BYTES / bytes) + 1;
    return bytes;
}

static void choose_place(void *context, unsigned member, unsigned sample)
{
    (void)sample;
    struct job *job = context;
    if (job->cell->cold) {
        job->place[member] = session_cold_place(job->session, member, job->cell->threads,
                                                session_stream_span(job->stream, job->bytes), 64);
        return;
    }
    job->place[member] = job->session->pool[member].bytes;
    session_stream_repeat(job->stream, job->place[member], job->bytes, false, 1);
}

static void run(void *context, unsigned member, unsigned sample)
{
    (void)sample;
    struct job *job = context;
    session_stream_repeat(job->stream, job->place[member], job->bytes, job->cell->cold, job->cell->repeats);
}

int stream_visit(struct session *session, struct cell *cell, const struct session_stream *stream, size_t bytes,
                 unsigned count)
{
    size_t pool = cell->cold ? session_cold_bytes(session, cell->threads) : bytes;
    if (pool < session_stream_span(stream, bytes))
        pool = session_stream_span(stream, bytes);
    int error = session_pool(session, cell->threads, pool, cell->why, sizeof cell->why);
    if (error)
        return error;
    if (!session_team(session, cell->threads, cell->why, sizeof cell->why))
        return -EINVAL;
    struct job *job = calloc(1, sizeof *job);
    if (!job)
        return -ENOMEM;
    *job = (struct job){.session = session, .cell = cell, .stream = stream, .bytes = bytes};
    struct sampler_work work = {.context = job, .region = cell->name, .before = choose_place, .run = run};
    error = cell_take(session, cell, &work, count);
    free(job);
    return error;
}

struct cell_cost stream_visit_cost(const struct cell *cell, size_t bytes)
{
    double all = (double)bytes * cell->repeats;
    return (struct cell_cost){.visit_s = 3e-4, .sample_s = 5e-5 + all / (cell->cold ? SLOW_MEMORY : SLOW_CACHE)};
}
