/* SPDX-License-Identifier: BSD-3-Clause
 *
 * beta: what one core reads while all cores of the team read. Cold places in each member's own pool for memory, one
 * warm buffer for a cache level.
 */
#include "harness/cells/beta/beta.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/rounds.h"
#include "harness/cells/cell/stream_visit.h"
#include "harness/measure/session_level.h"

/** What a member reads of memory in a sample: in the search for the roof as much as beside the smallest GEMV. */
enum { ROOF_BYTES = STREAM_VISIT_MEMORY_BYTES, SEARCH_BYTES = 342 * SESSION_STREAM_UNIT };

/* ---- which cells ---- */

/** Sizes of a cell whose level is known; of memory it reads this many bytes a member. */
static struct cell *add(struct cells *cells, const struct session *session, const char *level, unsigned threads,
                        size_t memory_bytes)
{
    struct cell *cell = cells_add(cells, &cell_kind_beta);
    if (!cell)
        return NULL;
    struct beta_cell *own = beta_cell(cell);
    own->level = level;
    own->bytes = stream_visit_size(session, cell, level, threads, memory_bytes);
    return cell;
}

int beta_add_roof(struct cells *cells, const struct session *session, const char *level, unsigned threads)
{
    struct cell *cell = add(cells, session, level, threads, ROOF_BYTES);
    if (!cell)
        return -ENOMEM;
    beta_cell(cell)->roof = true;
    snprintf(cell->name, sizeof cell->name, "beta/%s/t%u/roof", level, threads);
    return 0;
}

int beta_add_search(struct cells *cells, const struct session *session, const char *level, unsigned threads)
{
    struct session_stream stream;
    for (size_t i = 0; session_stream_at(i, &stream); i++) {
        /* prefetching from a cache is not tried */
        if (!session_runs(session, stream.stream->isa) || (stream.variant->hint && strcmp(level, "memory") != 0))
            continue;
        struct cell *cell = add(cells, session, level, threads, SEARCH_BYTES);
        char label[80];
        if (!cell)
            return -ENOMEM;
        beta_cell(cell)->stream = stream;
        session_stream_label(&stream, label, sizeof label);
        snprintf(cell->name, sizeof cell->name, "beta/%s/t%u/%s", level, threads, label);
    }
    return 0;
}

int beta_add(struct cells *cells, const struct session *session, const char *level, unsigned threads)
{
    int error = beta_add_roof(cells, session, level, threads);
    return error ? error : beta_add_search(cells, session, level, threads);
}

bool beta_is_of(const struct cell *cell, const char *level, unsigned threads)
{
    return beta_cell(cell) && cell->threads == threads && strcmp(beta_cell(cell)->level, level) == 0;
}

struct cell *beta_roof_cell(const struct cells *cells, const char *level, unsigned threads)
{
    for (size_t i = 0; i < cells->count; i++) {
        if (beta_is_of(&cells->cell[i], level, threads) && beta_cell(&cells->cell[i])->roof)
            return &cells->cell[i];
    }
    return NULL;
}

const struct cell *beta_roof(const struct cells *cells, const char *level, unsigned threads)
{
    const struct cell *roof = beta_roof_cell(cells, level, threads);
    return roof && summary_stated(beta_bandwidth(roof)) > 0 ? roof : NULL;
}

/* ---- taking samples ---- */

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    return stream_visit(session, cell, &beta_cell(cell)->stream, beta_cell(cell)->bytes, count);
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

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)cells;
    const struct beta_cell *own = beta_cell(cell);
    const struct stream_variant *variant = own->stream.variant;
    char label[80];
    session_stream_label(&own->stream, label, sizeof label);
    json_t *record = json_pack("{s:s, s:s, s:s, s:i, s:o, s:s, s:i, s:i, s:s, s:I}", "type", "beta", "name",
                               own->roof ? "roof" : label, "level", own->level, "threads", (int)cell->threads, "cpus",
                               field_cpus(session, cell->threads), "stream", label, "load_bytes",
                               (int)own->stream.stream->load_bytes, "streams", (int)variant->streams, "prefetch",
                               stream_hint_name((enum stream_hint)variant->hint), "prefetch_bytes",
                               (json_int_t)(variant->hint ? own->stream.prefetch_bytes : 0));
    field_set(record, "roof", json_boolean(own->roof));
    field_set(record, "search", json_boolean(!own->roof));
    field_set(record, "run_bytes", json_integer(variant->run_bytes));
    field_set(record, "bytes_per_sample_per_core", json_integer((json_int_t)own->bytes));
    field_set_quantity(record, "bytes_per_s", beta_bandwidth(cell), "B/s");
    field_set_quantity(record, "bytes_per_cycle_per_core", beta_summary(cell), "B/cycle");
    field_set_counters(record, cell);
    return record;
}

static void describe(const struct cell *cell, json_t *record)
{
    const struct beta_cell *own = beta_cell(cell);
    char label[80];
    session_stream_label(&own->stream, label, sizeof label);
    field_set(record, "stream", json_string(label));
    field_set(record, "search", json_boolean(!own->roof));
    field_set(record, "bytes", json_integer((json_int_t)own->bytes));
}

/**
 * A run keeps the roof that it chose. Samples of another size than this version reads are not continued: it chooses
 * anew. Runs from before the field "bytes" read ROOF_BYTES of memory with every stream.
 */
static void restore(struct cell *cell, const json_t *record)
{
    struct beta_cell *own = beta_cell(cell);
    const char *label = json_string_value(json_object_get(record, "stream"));
    json_int_t bytes = json_integer_value(json_object_get(record, "bytes"));
    if (!own->roof && cell->cold && !bytes)
        own->bytes = ROOF_BYTES;
    if (!own->roof || !label || own->bytes != (size_t)bytes)
        return;
    if (session_stream_named(label, &own->stream))
        own->stream = (struct session_stream){0};
}

static bool lacks_choice(const struct cell *cell)
{
    return !beta_cell(cell)->stream.stream;
}

static bool together(const struct cell *one, const struct cell *other)
{
    return beta_is_of(other, beta_cell(one)->level, one->threads);
}

static int carry_out(struct session *session, struct cells *cells, size_t first, size_t end,
                     const struct execution *execution, size_t *failed)
{
    (void)end;
    const struct cell *head = &cells->cell[first];
    return beta_find_roof(session, cells, beta_cell(head)->level, head->threads, execution, failed);
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

/** Of one thread and of the widest team first, which every machine has; of those between, memory tells how many cores fill it. */
static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    bool between = cell->threads != planning->sizes[0] && cell->threads != planning->sizes[planning->teams - 1];
    return between ? cell->cold ? CELL_TEAMS : CELL_KERNELS : cell->cold ? CELL_ROOFS : CELL_CACHES;
}

/** The roof is measured; of the streams that are searched each is looked at, and a few more than once. */
static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    const double part = beta_cell(cell)->roof ? 1 : 1.0 / 8;
    const struct cell_cost whole = stream_visit_cost(cell, beta_cell(cell)->bytes);
    return (struct cell_cost){.visit_s = whole.visit_s * part, .sample_s = whole.sample_s * part};
}

/** A stream of the search is looked at and left. */
static size_t kept(const struct cell *cell)
{
    return beta_cell(cell)->roof ? beta_summary(cell).summary.n : SIZE_MAX;
}

static bool only_chooses(const struct cell *cell)
{
    return !beta_cell(cell)->roof;
}

const struct cell_kind cell_kind_beta = {
    .name = "beta",
    .own = sizeof(struct beta_cell),
    .plan = plan,
    .visit = visit,
    .apart = true,
    .rank = 40,
    .value = value,
    .cost = cost,
    .kept = kept,
    .inseparable = together,
    .only_chooses = only_chooses,
    .together = together,
    .carry_out = carry_out,
    .record = record_of,
    .describe = describe,
    .restore = restore,
    .lacks_choice = lacks_choice,
};
