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
#include "harness/cells/cell/rounds.h"
#include "harness/measure/session_level.h"
#include "harness/measure/session_pool.h"

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

/* ---- finding the roof ---- */

struct ranked {
    size_t index;
    double bandwidth;
};

static int faster_first(const void *a, const void *b)
{
    double x = ((const struct ranked *)a)->bandwidth, y = ((const struct ranked *)b)->bandwidth;
    return (x < y) - (x > y);
}

static size_t keep_fastest(const struct cells *cells, size_t *order, size_t count, size_t keep)
{
    struct ranked *ranked = calloc(count, sizeof *ranked);
    if (!ranked)
        return count;
    for (size_t i = 0; i < count; i++) {
        double bandwidth = beta_bandwidth(&cells->cell[order[i]]).summary.median;
        ranked[i] = (struct ranked){order[i], bandwidth > 0 ? bandwidth : 0};
    }
    qsort(ranked, count, sizeof *ranked, faster_first);
    for (size_t i = 0; i < count; i++)
        order[i] = ranked[i].index;
    free(ranked);
    return count < keep ? count : keep;
}

/** The fastest finalists become the session's roof of this level and team size; order is fastest first. */
static void store_roof(struct session *session, const struct cells *cells, const size_t *order, size_t count)
{
    const struct cell *best = count ? &cells->cell[order[0]] : NULL;
    if (!best || !(beta_bandwidth(best).summary.median > 0))
        return;
    struct session_roof roof = {
        .bytes_per_s = beta_bandwidth(best).summary.median,
        .bytes_per_cycle_per_core = beta_summary(best).summary.median,
    };
    for (size_t i = 0; i < count && roof.count < SESSION_ROOF_STREAMS; i++) {
        const struct cell *cell = &cells->cell[order[i]];
        roof.streams[roof.count++] = beta_cell(cell)->stream;
    }
    session_set_roof(session, beta_cell(best)->level, best->threads, &roof);
}

static bool any_stated(const struct cells *cells, const size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (summary_stated(beta_bandwidth(&cells->cell[order[i]])) > 0)
            return true;
    }
    return false;
}

int beta_find_roof(struct session *session, struct cells *cells, size_t first, size_t end,
                   const struct execution *execution, size_t *failed)
{
    enum { ROOF_TRIES = 8 };
    unsigned most = execution->roof_samples ? execution->roof_samples : 18;
    const struct {
        size_t keep;
        unsigned rounds, samples;
    } stage[] = {{SIZE_MAX, 1, most < 3 ? most : 3},
                 {24, 1, most < 5 ? most : 5},
                 {8, most < 3 ? 1 : 3, most < 3 ? most : most / 3}};

    size_t count = end - first;
    size_t *order = calloc(count + 1, sizeof *order);
    if (!order)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        order[i] = first + i;
    int error = 0;
    for (size_t s = 0; !error && s < sizeof stage / sizeof *stage; s++) {
        count = keep_fastest(cells, order, count, stage[s].keep);
        for (unsigned round = 0; !error && round < stage[s].rounds; round++) {
            cells_shuffle(session, order, count);
            error =
                cells_visit_round(session, cells, order, count, stage[s].samples, execution,
                                  ((double)s + (double)round / stage[s].rounds) / 3, 1.0 / 3 / stage[s].rounds, failed);
        }
    }
    for (unsigned more = 0; !error && more < ROOF_TRIES && !any_stated(cells, order, count); more++) {
        cells_shuffle(session, order, count);
        error = cells_visit_round(session, cells, order, count, most < 3 ? most : 3, execution, 1, 0, failed);
    }
    count = keep_fastest(cells, order, count, SESSION_ROOF_STREAMS);
    store_roof(session, cells, order, count);
    free(order);
    return error;
}

/* ---- the kind ---- */

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct beta_cell *own = beta_cell(cell);
    const struct stream_variant *variant = own->stream.variant;
    const char *label = strrchr(cell->name, '/') + 1;
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:i, s:o, s:s, s:i, s:i, s:s, s:I}", "type", "beta", "name", label, "level",
                  own->level, "threads", (int)cell->threads, "cpus", field_cpus(session, cell->threads), "stream",
                  label, "load_bytes", (int)own->stream.stream->load_bytes, "streams", (int)variant->streams,
                  "prefetch", stream_hint_name((enum stream_hint)variant->hint), "prefetch_bytes",
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

static int plan(struct cells *cells, const struct planning *planning)
{
    int error = 0;
    for (size_t level = 0; level < SESSION_LEVELS; level++) {
        if (!session_has_level(planning->session, session_levels[level]))
            continue;
        for (size_t t = 0; !error && t < planning->teams; t++)
            error = beta_add(cells, planning->session, session_levels[level], planning->sizes[t]);
    }
    return error;
}

const struct cell_kind cell_kind_beta = {
    .name = "beta",
    .own = sizeof(struct beta_cell),
    .plan = plan,
    .visit = visit,
    .share = {.rank = 40, .of_budget = 0.3, .of_group = 2},
    .together = together,
    .carry_out = beta_find_roof,
    .record = record_of,
};
