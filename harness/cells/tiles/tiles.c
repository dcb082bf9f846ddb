/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/tiles/tiles.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/stream_visit.h"
#include "harness/measure/session_level.h"

/* ---- which cells ---- */

/** "amx_int8/multiplied", "amx_int8/loaded/streamed" */
static void label_of(const struct stream *stream, const struct stream_variant *variant, char *label, size_t size)
{
    snprintf(label, size, "%s/%s%s", stream->isa, variant->tiles & STREAM_TILES_MULTIPLIED ? "multiplied" : "loaded",
             variant->tiles & STREAM_TILES_STREAMED ? "/streamed" : "");
}

static int add_one(struct cells *cells, const struct session *session, const struct stream *stream,
                   const struct stream_variant *variant, const char *level, unsigned threads)
{
    char label[48], name[160];
    label_of(stream, variant, label, sizeof label);
    snprintf(name, sizeof name, "tiles/%s/t%u/%s", level, threads, label);
    if (cells_find(cells, name))
        return 0;
    struct cell *cell = cells_add(cells, &cell_kind_tiles);
    if (!cell)
        return -ENOMEM;
    *tiles_cell(cell) = (struct tiles_cell){.stream = stream, .variant = variant, .level = level};
    tiles_cell(cell)->bytes = stream_visit_size(session, cell, level, threads, STREAM_VISIT_MEMORY_BYTES);
    snprintf(cell->name, sizeof cell->name, "%s", name);
    return 0;
}

/** Of one ISA, or of all (NULL). */
static int add(struct cells *cells, const struct session *session, const char *isa, const char *level, unsigned threads)
{
    int error = 0;
    for (const struct stream *const *at = stream_all(); !error && *at; at++) {
        const struct stream *stream = *at;
        bool wanted =
            stream->tile_operations && session_runs(session, stream->isa) && (!isa || strcmp(isa, stream->isa) == 0);
        for (uint32_t v = 0; wanted && !error && v < stream->count; v++)
            error = add_one(cells, session, stream, &stream->variants[v], level, threads);
    }
    return error;
}

int tiles_add(struct cells *cells, const struct session *session, const char *level, unsigned threads)
{
    return add(cells, session, NULL, level, threads);
}

/** Where the operands of a product lie: one of a block that fits L1, one of all tokens. */
static const char *const operand_levels[] = {"L1", "L2"};
enum { OPERAND_NEAR, OPERAND_FAR, OPERAND_LEVELS };

int tiles_add_operands(struct cells *cells, const struct session *session, const struct kernel *kernel)
{
    int error = 0;
    for (size_t i = 0; !error && i < OPERAND_LEVELS; i++) {
        if (session_has_level(session, operand_levels[i]))
            error = add(cells, session, kernel->isa, operand_levels[i], 1);
    }
    return error;
}

static int plan(struct cells *cells, const struct planning *planning)
{
    const unsigned widest = planning->teams ? planning->sizes[planning->teams - 1] : 1;
    int error = 0;
    for (size_t i = 0; !error && i < SESSION_LEVELS; i++) {
        if (!session_has_level(planning->session, session_levels[i]))
            continue;
        error = tiles_add(cells, planning->session, session_levels[i], 1);
        if (!error && widest > 1)
            error = tiles_add(cells, planning->session, session_levels[i], widest);
    }
    return error;
}

/* ---- taking samples ---- */

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    const struct tiles_cell *own = tiles_cell(cell);
    const struct session_stream stream = {own->stream, own->variant, 0};
    return stream_visit(session, cell, &stream, own->bytes, count);
}

static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    (void)planning;
    return cell->threads == 1 ? CELL_CACHES : CELL_STREAMS;
}

static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    return stream_visit_cost(cell, tiles_cell(cell)->bytes);
}

/* ---- what they say ---- */

static double tiles_of(const struct cell *cell)
{
    return (double)tiles_cell(cell)->bytes / tiles_cell(cell)->stream->load_bytes;
}

struct graded tiles_cycles(const struct cell *cell)
{
    return summary_cycles_per(cell, tiles_of(cell));
}

struct graded tiles_bandwidth(const struct cell *cell)
{
    return summary_per_second(cell, (double)tiles_cell(cell)->bytes * cell->threads);
}

/** Cycles that STATS_KEPT_LEAST samples with a clock of their own did not exceed; NaN: fewer were kept. */
static double attained(const struct cell *cell)
{
    double least[STATS_KEPT_LEAST + 1]; /* ascending; the last is one too many */
    size_t count = 0;
    for (size_t i = 0; i < cell->samples.count; i++) {
        enum sample_grade grade;
        double seconds;
        if (!summary_time_of(cell, i, &seconds, &grade) || grade == SAMPLE_WALL)
            continue;
        const double cycles = seconds * cell->samples.sample[i].core_hz / tiles_of(cell);
        size_t at = count;
        for (; at > 0 && least[at - 1] > cycles; at--)
            least[at] = least[at - 1];
        least[at] = cycles;
        count += count < STATS_KEPT_LEAST;
    }
    return count == STATS_KEPT_LEAST ? least[STATS_KEPT_LEAST - 1] : NAN;
}

/** Of a tile from a level, by the faster of both loads. */
static double fastest(const struct cells *cells, const char *isa, const char *level, bool multiplied)
{
    double least = NAN;
    for (size_t i = 0; i < cells->count; i++) {
        const struct tiles_cell *own = tiles_cell(&cells->cell[i]);
        if (!own || cells->cell[i].threads != 1 || strcmp(own->level, level) != 0 ||
            strcmp(own->stream->isa, isa) != 0 || !!(own->variant->tiles & STREAM_TILES_MULTIPLIED) != multiplied)
            continue;
        least = fmin(least, attained(&cells->cell[i]));
    }
    return least;
}

struct gemm_operands tiles_operands(const struct cells *cells, const struct kernel *kernel)
{
    struct gemm_operands operands = {
        .operations = NAN,
        .near = fastest(cells, kernel->isa, operand_levels[OPERAND_NEAR], true),
        .far = fastest(cells, kernel->isa, operand_levels[OPERAND_FAR], true),
        .near_alone = fastest(cells, kernel->isa, operand_levels[OPERAND_NEAR], false),
        .far_alone = fastest(cells, kernel->isa, operand_levels[OPERAND_FAR], false),
    };
    for (const struct stream *const *at = stream_all(); *at; at++) {
        if ((*at)->tile_operations && strcmp((*at)->isa, kernel->isa) == 0)
            operands.operations = (*at)->tile_operations;
    }
    return operands;
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)cells;
    const struct tiles_cell *own = tiles_cell(cell);
    char label[48], name[64];
    label_of(own->stream, own->variant, label, sizeof label);
    snprintf(name, sizeof name, "%s/%s", own->level, label);
    json_t *record = json_pack("{s:s, s:s, s:s, s:i, s:o, s:s, s:i, s:i, s:b, s:b, s:I}", "type", "tiles", "name", name,
                               "level", own->level, "threads", (int)cell->threads, "cpus",
                               field_cpus(session, cell->threads), "isa", own->stream->isa, "tile_bytes",
                               (int)own->stream->load_bytes, "tile_operations", (int)own->stream->tile_operations,
                               "multiplied", own->variant->tiles & STREAM_TILES_MULTIPLIED ? 1 : 0, "streamed",
                               own->variant->tiles & STREAM_TILES_STREAMED ? 1 : 0, "bytes", (json_int_t)own->bytes);
    field_set_quantity(record, "cycles_per_tile", tiles_cycles(cell), "cycle");
    field_set_quantity(record, "bytes_per_s", tiles_bandwidth(cell), "B/s");
    field_set_counters(record, cell);
    return record;
}

const struct cell_kind cell_kind_tiles = {
    .name = "tiles",
    .own = sizeof(struct tiles_cell),
    .plan = plan,
    .visit = visit,
    .apart = true,
    .rank = 42,
    .value = value,
    .cost = cost,
    .record = record_of,
};
