/* SPDX-License-Identifier: BSD-3-Clause
 *
 * beta: what one core reads while all cores of the team read. Cold places in each member's own pool for memory, one
 * warm buffer for a cache level.
 */
#include <errno.h>
#include <stdlib.h>

#include "harness/cells/cell/cell.h"

struct job {
    struct session *session;
    struct cell *cell;
    const uint8_t *place[SESSION_CPUS_MAX];
};

static struct session_stream stream_of(const struct cell *cell)
{
    return (struct session_stream){cell->stream, cell->stream_variant, cell->prefetch_bytes};
}

static void choose_place(void *context, unsigned member, unsigned sample)
{
    (void)sample;
    struct job *job = context;
    struct cell *cell = job->cell;
    struct session_stream stream = stream_of(cell);
    if (cell->cold) {
        job->place[member] =
            session_cold_place(job->session, member, cell->threads, session_stream_span(&stream, cell->bytes), 64);
        return;
    }
    job->place[member] = job->session->pool[member].bytes;
    session_stream_read(&stream, job->place[member], cell->bytes, false);
}

static void run(void *context, unsigned member, unsigned sample)
{
    (void)sample;
    struct job *job = context;
    const struct cell *cell = job->cell;
    struct session_stream stream = stream_of(cell);
    for (unsigned i = 0; i < cell->repeats; i++)
        session_stream_read(&stream, job->place[member], cell->bytes, cell->cold);
}

int measure_beta(struct session *session, struct cell *cell, unsigned count)
{
    size_t pool = cell->cold ? session_cold_bytes(session, cell->threads) : cell->bytes;
    struct session_stream stream = stream_of(cell);
    if (pool < session_stream_span(&stream, cell->bytes))
        pool = session_stream_span(&stream, cell->bytes);
    int error = session_pool(session, cell->threads, pool, cell->why, sizeof cell->why);
    if (error)
        return error;
    struct team *team = session_team(session, cell->threads, cell->why, sizeof cell->why);
    if (!team)
        return -EINVAL;
    struct sample *samples = calloc(count, sizeof *samples);
    struct job *job = calloc(1, sizeof *job);
    if (samples && job) {
        *job = (struct job){.session = session, .cell = cell};
        struct sampler_work work = {.context = job, .region = cell->name, .before = choose_place, .run = run};
        error = sampler_take(team, &session->instruments, &work, samples, count);
        if (!error)
            error = samples_append(&cell->samples, samples, count);
    } else {
        error = -ENOMEM;
    }
    free(samples);
    free(job);
    return error;
}
