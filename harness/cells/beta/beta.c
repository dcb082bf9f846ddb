/* SPDX-License-Identifier: BSD-3-Clause
 *
 * beta: what one core reads while all cores of the team read. Cold places in each member's own pool for memory, one
 * warm buffer for a cache level.
 *
 * The search for the roof of a level and team: which read stream is the fastest. Every stream is looked at briefly, and
 * ever fewer of them ever more closely. What the search saw chooses; beta is what the chosen stream reads afterwards,
 * since the fastest of many was also the luckiest.
 */
#include "harness/cells/beta/beta.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/halving.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/rounds.h"
#include "harness/cells/cell/stream_visit.h"
#include "harness/measure/session_level.h"
#include "platforms/clock/clock.h"

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

static int add_search(struct cells *cells, const struct session *session, const char *level, unsigned threads)
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
    return error ? error : add_search(cells, session, level, threads);
}

/** Whether a cell is a beta cell of this level and team, the roof or one of the search. */
static bool is_of(const struct cell *cell, const char *level, unsigned threads)
{
    return beta_cell(cell) && cell->threads == threads && strcmp(beta_cell(cell)->level, level) == 0;
}

struct cell *beta_roof_cell(const struct cells *cells, const char *level, unsigned threads)
{
    for (size_t i = 0; i < cells->count; i++) {
        if (is_of(&cells->cell[i], level, threads) && beta_cell(&cells->cell[i])->roof)
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

struct graded beta_bandwidth(const struct cell *cell)
{
    return summary_per_second(cell, (double)beta_cell(cell)->bytes * cell->threads);
}

struct graded beta_summary(const struct cell *cell)
{
    return summary_per_cycle(cell, (double)beta_cell(cell)->bytes);
}

/* ---- the search ---- */

/** Samples of each stream that is still in; this many stay for the next stage. The last stage leaves the roof. */
static const struct halving_stage stages[] = {{SIZE_MAX, 1, 3}, {48, 1, 4}, {12, 2, 4}, {4, 3, 6}};
enum { STAGES = sizeof stages / sizeof *stages };

/** The roof itself: samples a visit, visits at first, and how many of those samples are wanted kept, in TRIES visits. */
enum { FRESH_SAMPLES = 6, FRESH_VISITS = 3, FRESH_KEPT = 12, TRIES = 8 };

/** The search takes so much of the time at most; the rest is for the roof itself. */
static const double SEARCH_SHARE = 0.7;

static double bandwidth(const struct cell *cell)
{
    return beta_bandwidth(cell).summary.median;
}

/**
 * Loads of one place without prefetch, which is how most code reads, are a class: the fastest of them goes along to the end, since
 * its samples say what the roof is above it.
 */
static const void *class_of(const struct cell *cell)
{
    static const char plain;
    const struct stream_variant *variant = beta_cell(cell)->stream.variant;
    return variant->streams == 1 && !variant->hint ? &plain : NULL;
}

/** The search within its part of the time. *stream is the best that was seen, also where time ran out. */
static int search_stream(struct session *session, struct cells *cells, const struct cell *roof,
                         const struct execution *execution, struct session_stream *stream, size_t *failed)
{
    const char *level = beta_cell(roof)->level;
    unsigned threads = roof->threads, most = execution->roof_samples;
    struct execution part = *execution;
    if (execution->deadline_s > 0)
        part = execution_within(execution, SEARCH_SHARE * (execution->deadline_s - clock_monotonic_s()));
    struct halving halving = {.session = session,
                              .cells = cells,
                              .stages = stages,
                              .stage_count = STAGES,
                              .most = most ? most : ~0u,
                              .merit = bandwidth,
                              .class_of = class_of,
                              .execution = &part,
                              .part = STAGES / (STAGES + 1.0)};
    halving.order = calloc(cells->count + 1, sizeof *halving.order);
    if (!halving.order)
        return -ENOMEM;
    for (size_t i = 0; i < cells->count; i++) {
        if (is_of(&cells->cell[i], level, threads) && !beta_cell(&cells->cell[i])->roof)
            halving.order[halving.count++] = i;
    }
    int error = execution_of_part(halving_run(&halving, failed), &part, execution);
    if (halving_any_known(&halving, halving.count ? 1 : 0))
        *stream = beta_cell(&cells->cell[halving.order[0]])->stream;
    free(halving.order);
    return error;
}

/** Samples of the roof itself: many at first, a few more whenever it is read again. */
static int read_roof(struct session *session, struct cells *cells, size_t roof, const struct execution *execution,
                     size_t *failed)
{
    const struct cell *cell = &cells->cell[roof];
    unsigned asked = execution->roof_samples, visits = asked || cell->visits ? 1 : FRESH_VISITS;
    size_t wanted = asked ? STATS_KEPT_LEAST : FRESH_KEPT;
    int error = 0;
    for (unsigned i = 0; !error && i < TRIES && (i < visits || beta_bandwidth(cell).summary.n < wanted); i++)
        error = cells_visit_round(session, cells, &roof, 1, asked ? asked : FRESH_SAMPLES, execution,
                                  STAGES / (STAGES + 1.0), 1 / (STAGES + 1.0), failed);
    return error;
}

static int add_roof(struct session *session, struct cells *cells, const char *level, unsigned threads,
                    const struct execution *execution, size_t *failed)
{
    size_t first = cells->count, wanted = execution->roof_samples ? STATS_KEPT_LEAST : FRESH_KEPT;
    int error = beta_add_roof(cells, session, level, threads);
    return error ? error : execution_added(execution, cells, first, cells->count, wanted, failed);
}

/** Make sure that the roof and, where nothing is chosen yet, the streams to choose from are among the cells. */
static int add_missing(struct session *session, struct cells *cells, const char *level, unsigned threads,
                       const struct execution *execution, size_t *failed)
{
    bool streams = false;
    for (size_t i = 0; i < cells->count; i++)
        streams |= is_of(&cells->cell[i], level, threads) && !beta_cell(&cells->cell[i])->roof;
    int error = beta_roof_cell(cells, level, threads) ? 0 : add_roof(session, cells, level, threads, execution, failed);
    if (error || streams || beta_cell(beta_roof_cell(cells, level, threads))->stream.stream)
        return error;
    return add_search(cells, session, level, threads);
}

int beta_find_roof(struct session *session, struct cells *cells, const char *level, unsigned threads,
                   const struct execution *execution, size_t *failed)
{
    int error = add_missing(session, cells, level, threads, execution, failed);
    if (error)
        return error;
    struct cell *roof = beta_roof_cell(cells, level, threads);
    struct session_stream *stream = &beta_cell(roof)->stream;
    if (!stream->stream)
        error = search_stream(session, cells, roof, execution, stream, failed);
    if (!stream->stream)
        return error;
    session_set_roof(session, level, threads, &(struct session_roof){.chosen = true, .stream = *stream});
    return error || roof->suspended ? error
                                    : read_roof(session, cells, (size_t)(roof - cells->cell), execution, failed);
}

/* ---- the kind ---- */

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
    return is_of(other, beta_cell(one)->level, one->threads);
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
