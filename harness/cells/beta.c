/* SPDX-License-Identifier: BSD-3-Clause
 *
 * beta: what one core reads while all cores of the team read. Cold places in each member's own pool for memory, one
 * warm buffer for a cache level.
 */
#include "harness/cells/beta.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"

/** A member reads so much memory in a sample, so that the start of a stream does not show; of a cache about so much. */
enum { MEMORY_BYTES = 1024 * SESSION_STREAM_UNIT, CACHE_SAMPLE_BYTES = 4 << 20 };

struct beta_cell *beta_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_beta ? cell->own : NULL;
}

/* ---- which cells ---- */

static int add(struct cells *cells, const struct session *session, const char *level, unsigned threads,
               const struct session_stream *stream)
{
    struct cell *cell = cells_add(cells, &cell_kind_beta);
    if (!cell)
        return -ENOMEM;
    struct beta_cell *own = beta_cell(cell);
    own->stream = *stream;
    own->level = level;
    own->bytes = MEMORY_BYTES;
    cell->threads = threads;
    cell->cold = strcmp(level, "memory") == 0;
    cell->repeats = 1;
    if (!cell->cold) {
        own->bytes = session_cache_bytes(session, level, threads);
        cell->repeats = (unsigned)(CACHE_SAMPLE_BYTES / own->bytes) + 1;
    }
    char label[80];
    session_stream_label(stream, label, sizeof label);
    snprintf(cell->name, sizeof cell->name, "beta/%s/t%u/%s", level, threads, label);
    return 0;
}

/** One variant of a stream at every distance that it has. Prefetching from a cache is not tried. */
static int add_variant(struct cells *cells, const struct session *session, const char *level, unsigned threads,
                       const struct stream *stream, const struct stream_variant *variant)
{
    static const size_t distances[] = {512, 1024, 2048, 4096, 8192};
    int error = 0;
    if (!variant->hint)
        return add(cells, session, level, threads, &(struct session_stream){stream, variant, 0});
    if (strcmp(level, "memory") != 0)
        return 0;
    for (size_t d = 0; !error && d < sizeof distances / sizeof *distances; d++)
        error = add(cells, session, level, threads, &(struct session_stream){stream, variant, distances[d]});
    return error;
}

int beta_add(struct cells *cells, const struct session *session, const char *level, unsigned threads)
{
    int error = 0;
    for (const struct stream *const *stream = stream_all(); *stream; stream++) {
        if (!session_runs(session, (*stream)->isa))
            continue;
        for (uint32_t v = 0; !error && v < (*stream)->count; v++)
            error = add_variant(cells, session, level, threads, *stream, &(*stream)->variants[v]);
    }
    return error;
}

int beta_find_stream(const struct session *session, const char *level, unsigned threads, const char *label,
                     struct session_stream *stream)
{
    struct cells cells = {0};
    int error = beta_add(&cells, session, level, threads), found = -ENOENT;
    for (size_t i = 0; !error && found && i < cells.count; i++) {
        char other[80];
        *stream = beta_cell(&cells.cell[i])->stream;
        session_stream_label(stream, other, sizeof other);
        found = strcmp(other, label) == 0 ? 0 : -ENOENT;
    }
    cells_release(&cells);
    return error ? error : found;
}

/* ---- taking samples ---- */

struct job {
    struct session *session;
    const struct cell *cell;
    const struct beta_cell *own;
    const uint8_t *place[SESSION_CPUS_MAX];
};

static void choose_place(void *context, unsigned member, unsigned sample)
{
    (void)sample;
    struct job *job = context;
    const struct beta_cell *own = job->own;
    if (job->cell->cold) {
        job->place[member] = session_cold_place(job->session, member, job->cell->threads,
                                                session_stream_span(&own->stream, own->bytes), 64);
        return;
    }
    job->place[member] = job->session->pool[member].bytes;
    session_stream_read(&own->stream, job->place[member], own->bytes, false);
}

static void run(void *context, unsigned member, unsigned sample)
{
    (void)sample;
    struct job *job = context;
    for (unsigned i = 0; i < job->cell->repeats; i++)
        session_stream_read(&job->own->stream, job->place[member], job->own->bytes, job->cell->cold);
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    const struct beta_cell *own = beta_cell(cell);
    size_t pool = cell->cold ? session_cold_bytes(session, cell->threads) : own->bytes;
    if (pool < session_stream_span(&own->stream, own->bytes))
        pool = session_stream_span(&own->stream, own->bytes);
    int error = session_pool(session, cell->threads, pool, cell->why, sizeof cell->why);
    if (error)
        return error;
    struct team *team = session_team(session, cell->threads, cell->why, sizeof cell->why);
    if (!team)
        return -EINVAL;
    struct sample *samples = calloc(count, sizeof *samples);
    struct job *job = calloc(1, sizeof *job);
    if (samples && job) {
        *job = (struct job){.session = session, .cell = cell, .own = own};
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

/* ---- what they say ---- */

static bool bandwidth_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds;
    bool kept = summary_time_of(cell, i, &seconds, grade);
    *value = (double)beta_cell(cell)->bytes * cell->threads / seconds;
    return kept;
}

static bool bytes_per_cycle_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds;
    bool kept = summary_time_of(cell, i, &seconds, grade);
    *value = (double)beta_cell(cell)->bytes / (seconds * cell->samples.sample[i].core_hz);
    return kept;
}

struct graded beta_bandwidth(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, false, bandwidth_of);
}

struct graded beta_summary(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, true, bytes_per_cycle_of);
}

static bool is_of(const struct cell *cell, const char *level, unsigned threads)
{
    return beta_cell(cell) && cell->threads == threads && strcmp(beta_cell(cell)->level, level) == 0;
}

const struct cell *beta_roof(const struct cells *cells, const char *level, unsigned threads)
{
    const struct cell *best = NULL;
    double most = 0;
    size_t most_samples = 0;
    /* a stream that was dropped after a first look does not win by one lucky sample */
    for (size_t i = 0; i < cells->count; i++) {
        if (is_of(&cells->cell[i], level, threads) && cells->cell[i].samples.count > most_samples)
            most_samples = cells->cell[i].samples.count;
    }
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (!is_of(cell, level, threads) || 2 * cell->samples.count < most_samples)
            continue;
        double bandwidth = beta_bandwidth(cell).summary.median;
        if (bandwidth > most) {
            most = bandwidth;
            best = cell;
        }
    }
    return best;
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct beta_cell *own = beta_cell(cell);
    const struct stream_variant *variant = own->stream.variant;
    const char *label = strrchr(cell->name, '/') + 1;
    json_t *record = json_pack(
        "{s:s, s:s, s:s, s:i, s:o, s:s, s:i, s:i, s:s, s:I}", "type", "beta", "name", label, "level", own->level,
        "threads", (int)cell->threads, "cpus", field_cpus(session, cell->threads), "stream", label, "load_bytes",
        (int)own->stream.stream->load_bytes, "streams", (int)variant->streams, "prefetch",
        stream_hint_name((enum stream_hint)variant->hint), "prefetch_bytes",
        (json_int_t)(variant->hint ? own->stream.prefetch_bytes : 0));
    field_set(record, "roof", json_boolean(beta_roof(cells, own->level, cell->threads) == cell));
    field_set(record, "run_bytes", json_integer(variant->run_bytes));
    field_set(record, "bytes_per_sample_per_core", json_integer((json_int_t)own->bytes));
    field_set_quantity(record, "bytes_per_s", beta_bandwidth(cell), "B/s");
    field_set_quantity(record, "bytes_per_cycle_per_core", beta_summary(cell), "B/cycle");
    field_set_counters(record, cell);
    return record;
}

static bool together(const struct cell *one, const struct cell *other)
{
    return is_of(other, beta_cell(one)->level, one->threads);
}

const struct cell_kind cell_kind_beta = {
    .name = "beta",
    .own = sizeof(struct beta_cell),
    .visit = visit,
    .record = record_of,
    .together = together,
};
