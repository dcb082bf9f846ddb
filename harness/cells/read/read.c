/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What reading alone attains of as many bytes as a matrix has: what the share of the roof of a small one is held against.
 */
#include "harness/cells/read/read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/roof_paired.h"
#include "harness/cells/cell/weights_read.h"
#include "harness/measure/session_pool.h"

/* ---- which cells ---- */

int read_add(struct cells *cells, size_t bytes, unsigned threads)
{
    char name[160];
    snprintf(name, sizeof name, "read/%zu/t%u", bytes, threads);
    if (cells_find(cells, name))
        return 0;
    struct cell *cell = cells_add(cells, &cell_kind_read);
    if (!cell)
        return -ENOMEM;
    read_cell(cell)->bytes = bytes;
    cell->threads = threads;
    cell->cold = cell->beside_roof = true;
    cell->repeats = 1;
    snprintf(cell->name, sizeof cell->name, "%s", name);
    return 0;
}

const struct cell *read_find(const struct cells *cells, size_t bytes, unsigned threads)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (read_cell(cell) && read_cell(cell)->bytes == bytes && cell->threads == threads && cell->samples.count)
            return cell;
    }
    return NULL;
}

/* ---- taking samples ---- */

struct job {
    struct session *session;
    const struct cell *cell;
    struct weights_visit weights;
    const uint8_t *place[SESSION_CPUS_MAX];
};

/** Bytes of a member: its part of the lines. */
static size_t share_of(const struct cell *cell, unsigned member)
{
    size_t lines = (read_cell(cell)->bytes + 63) / 64;
    return (lines * (member + 1) / cell->threads - lines * member / cell->threads) * 64;
}

static void choose_place(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    job->place[member] = weights_place(&job->weights, member, sample, share_of(job->cell, member));
}

/**
 * Consecutive bytes, in as many places side by side as the stream has, which lie an odd number of pages apart where they are long, as
 * the roof's do; then the few that these leave over.
 */
static void read_all(const struct session_stream *stream, const uint8_t *place, size_t bytes)
{
    enum { RUN = 256, PAGE = 4096, LONG = 256 << 10 }; /* of one place */
    size_t each = bytes / stream->variant->streams / RUN * RUN;
    if (each >= LONG)
        each = (each / PAGE - 1) / 2 * 2 * PAGE + PAGE;
    size_t whole = each * stream->variant->streams;
    if (whole)
        session_stream_read(stream, place, whole, false);
    for (size_t line = whole; line < bytes; line += 64)
        (void)*(const volatile uint8_t *)(place + line);
}

static void run(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    if (weights_is_roof(job->cell, sample)) {
        weights_read_roof(&job->weights, member);
        return;
    }
    read_all(&job->session->roof[job->cell->threads].stream, job->place[member], share_of(job->cell, member));
    team_barrier(job->session->team);
}

static int begin(struct session *session, struct cell *cell, struct weights_visit *visit)
{
    const struct weights_read read = {share_of(cell, cell->threads - 1), cell->threads, true};
    int error = weights_need_roof(session, cell);
    if (error)
        return error;
    *visit = (struct weights_visit){
        .session = session, .cell = cell, .read = read, .granule = 64, .roof_bytes = weights_roof_bytes(&read)};
    cell->roof_bytes = visit->roof_bytes * cell->threads;
    error = session_pool(session, cell->threads, weights_pool_bytes(session, &read), cell->why, sizeof cell->why);
    if (!error && !session_team(session, cell->threads, cell->why, sizeof cell->why))
        error = -EINVAL;
    return error;
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    struct job *job = calloc(1, sizeof *job);
    if (!job)
        return -ENOMEM;
    job->session = session;
    job->cell = cell;
    int error = begin(session, cell, &job->weights);
    const struct sampler_work work = {.context = job, .region = cell->name, .before = choose_place, .run = run};
    if (!error)
        error = weights_take(&job->weights, &work, count);
    free(job);
    return error;
}

/* ---- what they say ---- */

struct graded read_roof_fraction(const struct cell *cell)
{
    return roof_paired_fraction(cell, (double)read_cell(cell)->bytes);
}

void read_set_fields(json_t *record, const struct cells *cells, size_t bytes, unsigned threads)
{
    static const char too_few[] = "too few samples were kept";
    const struct cell *read = read_find(cells, bytes, threads);
    if (!read)
        return;
    field_set_number_or_why(record, "read_s", summary_stated(summary_time(read)), too_few);
    field_set_number_or_why(record, "read_roof_fraction", summary_stated(read_roof_fraction(read)), too_few);
}

static void settle(struct cells *cells)
{
    roof_paired_choose_all(cells, &cell_kind_read);
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)cells;
    json_t *record = json_pack("{s:s, s:s, s:s, s:i, s:I}", "type", "read", "name", "read", "level", "memory",
                               "threads", (int)cell->threads, "bytes", (json_int_t)read_cell(cell)->bytes);
    field_set_quantity(record, "time_s", summary_time(cell), "s");
    field_set_quantity(record, "bytes_per_s", summary_per_second(cell, (double)read_cell(cell)->bytes), "B/s");
    field_set_quantity(record, "roof_fraction", read_roof_fraction(cell), "1");
    field_set(record, "roof_stream", field_roof_stream(session, "memory", cell->threads, roof_paired_stream(cell)));
    field_set_proof(record, cell);
    return record;
}

static size_t kept(const struct cell *cell)
{
    return read_roof_fraction(cell).summary.n;
}

static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    static const double SLOW_MEMORY = 8e9;
    return (struct cell_cost){.visit_s = 3e-4,
                              .sample_s = 1e-4 + ((double)read_cell(cell)->bytes + (2 << 20)) / SLOW_MEMORY};
}

/** Not in a characterization: it follows a product that the user asks for. */
const struct cell_kind cell_kind_read = {
    .name = "read",
    .own = sizeof(struct read_cell),
    .never_compared = true,
    .visit = visit,
    .kept = kept,
    .rank = 49,
    .cost = cost,
    .settle = settle,
    .record = record_of,
};
