/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Repacking rows into an interleaved order: see repack.h. The panels are dealt to the members in equal stretches; where they
 * write lies on their own node, half as much memory as is cold, since as much is read between two uses of a place.
 */
#include "harness/cells/repack/repack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/measure/session_pool.h"
#include "platforms/system/host.h"

/** The shape that a characterization repacks. */
enum { PLANNED_SIDE = 4096 };

/* ---- which cells ---- */

int repack_add(struct cells *cells, const struct format *format, const struct shape *shape, unsigned threads)
{
    const struct block_order *order = block_order_of(format);
    const struct format *rows = order ? block_order_rows(order) : NULL;
    char name[160];
    snprintf(name, sizeof name, "repack/%s/%zux%zu/t%u", format->name, shape->m, shape->k, threads);
    if (!rows || shape->m % format->rows_per_panel || format_accepts(format, shape->m, shape->k, NULL, 0) ||
        format_packed_bytes(format, shape->m, shape->k) < REPACK_BYTES_LEAST || cells_find(cells, name))
        return 0;
    struct cell *cell = cells_add(cells, &cell_kind_repack);
    if (!cell)
        return -ENOMEM;
    *repack_cell(cell) = (struct repack_cell){order, rows, shape->m, shape->k};
    cell->threads = threads;
    cell->repeats = 1;
    snprintf(cell->name, sizeof cell->name, "%s", name);
    return 0;
}

/** Whether a kernel that runs here reads the format. */
static bool is_read(const struct session *session, const struct format *format)
{
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if ((*kernel)->format == format && session_runs(session, (*kernel)->isa))
            return true;
    }
    return false;
}

static int plan(struct cells *cells, const struct planning *planning)
{
    const struct shape shape = {.m = PLANNED_SIDE, .k = PLANNED_SIDE, .count = 1};
    const unsigned one = planning->sizes[0], widest = planning->sizes[planning->teams - 1];
    int error = 0;
    for (const struct block_order *const *order = block_order_all(); !error && *order; order++) {
        if (!is_read(planning->session, (*order)->format))
            continue;
        error = repack_add(cells, (*order)->format, &shape, one);
        if (!error)
            error = repack_add(cells, (*order)->format, &shape, widest);
    }
    return error;
}

/* ---- taking samples ---- */

struct member {
    size_t panels;
    const uint8_t *rows;
    struct memory_block block; /* that it writes to */
    uint8_t *packed;
    size_t place;
    int error;
};

struct job {
    struct session *session;
    struct team *team;
    const struct cell *cell;
    const struct repack_cell *own;
    size_t row_bytes, panel_bytes, steps, granule, written_bytes; /* the last: of a member's block */
    struct member members[SESSION_CPUS_MAX];
};

/** The next place to read and the next to write. */
static void choose_places(void *context, unsigned member, unsigned sample)
{
    (void)sample;
    struct job *job = context;
    struct member *own = &job->members[member];
    const size_t bytes = own->panels * job->panel_bytes, apart = (bytes + 4095) / 4096 * 4096;
    if (!bytes)
        return;
    own->rows = session_cold_weights(job->session, member, job->cell->threads, bytes, job->granule);
    own->packed = own->block.bytes + own->place * apart;
    own->place = (own->place + 2) * apart <= own->block.length ? own->place + 1 : 0;
}

static void run(void *context, unsigned member, unsigned sample)
{
    (void)sample;
    const struct job *job = context;
    const struct member *own = &job->members[member];
    const size_t rows_bytes = job->own->order->format->rows_per_panel * job->row_bytes;
    for (size_t i = 0; i < own->panels; i++)
        job->own->order->interleave(own->rows + i * rows_bytes, job->row_bytes, job->steps,
                                    own->packed + i * job->panel_bytes);
    team_barrier(job->team);
}

/** Whether a panel holds the weights of its rows. */
static bool is_right(const struct job *job, const struct member *own, size_t panel)
{
    const struct format *format = job->own->order->format, *rows = job->own->rows;
    const uint8_t *packed = own->packed + panel * job->panel_bytes;
    for (uint32_t row = 0; row < format->rows_per_panel; row++) {
        const uint8_t *from = own->rows + (panel * format->rows_per_panel + row) * job->row_bytes;
        for (uint32_t column = 0; column < job->own->k; column++) {
            double is = format_weight(format, packed, job->own->k, row, column),
                   must = format_weight(rows, from, job->own->k, 0, column);
            if (memcmp(&is, &must, sizeof is) != 0)
                return false;
        }
    }
    return true;
}

/** The member's pages, and one matrix that is looked at: its first and last panel and one between. */
static void begin_member(void *context, unsigned member)
{
    struct job *job = context;
    struct member *own = &job->members[member];
    own->error = memory_reserve(job->written_bytes, &own->block);
    if (!own->error)
        own->error = memory_populate(&own->block, 0, own->block.length, NULL);
    if (!own->error)
        choose_places(context, member, 0);
}

static void run_once(void *context, unsigned member)
{
    run(context, member, 0);
}

static int verify(struct job *job, struct cell *cell)
{
    cell->exact = true;
    for (unsigned t = 0; t < cell->threads; t++) {
        const struct member *own = &job->members[t];
        const size_t looked_at[] = {0, own->panels - 1, session_random(job->session) % (own->panels + !own->panels)};
        for (size_t i = 0; own->panels && i < sizeof looked_at / sizeof *looked_at; i++)
            cell->exact = cell->exact && is_right(job, own, looked_at[i]);
    }
    cell->verified = true;
    if (cell->exact)
        return 0;
    snprintf(cell->why, sizeof cell->why, "repacking rows of %s to %s changed the weights", job->own->rows->name,
             job->own->order->format->name);
    return -EILSEQ;
}

/** Panels of the member that has most. */
static size_t most_panels(const struct repack_cell *own, unsigned threads)
{
    return (format_panels(own->order->format, own->m) + threads - 1) / threads;
}

static size_t greater(size_t a, size_t b)
{
    return a > b ? a : b;
}

/** Bytes of a member's part of the pool, and of the block that it writes to. */
static void sizes_of(const struct session *session, const struct cell *cell, size_t *pool, size_t *written)
{
    const struct repack_cell *own = repack_cell(cell);
    const size_t panel_bytes = format_panel_bytes(own->order->format, own->k),
                 share = (most_panels(own, cell->threads) * panel_bytes + 4095) / 4096 * 4096,
                 cold = session_cold_bytes(session, cell->threads);
    *pool = greater(share, cold);
    *written = greater(share, cold / 2);
}

int repack_fits(const struct session *session, const struct cell *cell, char *why, size_t size)
{
    const struct repack_cell *own = repack_cell(cell);
    size_t pool, written;
    char what[200];
    sizes_of(session, cell, &pool, &written);
    snprintf(what, sizeof what, "repacking %zux%zu to %s with %u thread%s", own->m, own->k, own->order->format->name,
             cell->threads, cell->threads == 1 ? "" : "s");
    return session_memory_fits(cell->threads * written + session_pool_growth(session, cell->threads, pool),
                               host_memory_available(""), what, why, size);
}

static int begin(struct job *job, struct cell *cell)
{
    const struct format *format = job->own->order->format;
    size_t panels = format_panels(format, job->own->m);
    job->row_bytes = format_panel_bytes(job->own->rows, job->own->k);
    job->panel_bytes = format_panel_bytes(format, job->own->k);
    job->steps = format_steps(format, job->own->k);
    for (unsigned t = 0; t < cell->threads; t++)
        job->members[t].panels = panels * (t + 1) / cell->threads - panels * t / cell->threads;
    size_t pool;
    sizes_of(job->session, cell, &pool, &job->written_bytes);
    int error = repack_fits(job->session, cell, cell->why, sizeof cell->why);
    if (!error)
        error = session_pool(job->session, cell->threads, pool, cell->why, sizeof cell->why);
    if (!error)
        job->granule = session_pool_fill(job->session, cell->threads, job->own->rows, job->own->k,
                                         (struct session_pool_need){.places = true});
    if (!error)
        job->team = session_team(job->session, cell->threads, cell->why, sizeof cell->why);
    if (!error && (!job->team || !job->granule))
        error = -EINVAL;
    if (!error)
        team_run(job->team, begin_member, job);
    for (unsigned t = 0; !error && t < cell->threads; t++)
        error = job->members[t].error;
    if (!error)
        team_run(job->team, run_once, job);
    return error ? error : verify(job, cell);
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    struct job *job = calloc(1, sizeof *job);
    int error = job ? 0 : -ENOMEM;
    if (!error) {
        *job = (struct job){.session = session, .cell = cell, .own = repack_cell(cell)};
        error = begin(job, cell);
    }
    if (!error) {
        const struct sampler_work work = {.context = job, .region = cell->name, .before = choose_places, .run = run};
        error = cell_take(session, cell, &work, count);
    }
    for (unsigned t = 0; job && t < cell->threads; t++)
        memory_release(&job->members[t].block);
    free(job);
    return error;
}

/* ---- what they say ---- */

static double packed_bytes(const struct cell *cell)
{
    const struct repack_cell *own = repack_cell(cell);
    return (double)format_packed_bytes(own->order->format, own->m, own->k);
}

struct graded repack_bandwidth(const struct cell *cell)
{
    return summary_per_second(cell, packed_bytes(cell));
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)session;
    const struct repack_cell *own = repack_cell(cell);
    const struct repack_payment payment = repack_payment(cells, cell);
    json_t *record = json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:i, s:f, s:I, s:I}", "type", "repack", "name",
                               own->order->format->name, "format", own->order->format->name, "rows", own->rows->name,
                               "m", (json_int_t)own->m, "k", (json_int_t)own->k, "threads", (int)cell->threads, "bits",
                               format_bits_per_weight(own->order->format, own->m, own->k), "packed_bytes",
                               (json_int_t)packed_bytes(cell), "bytes_held_twice", (json_int_t)packed_bytes(cell));
    field_set_quantity(record, "time_s", summary_time(cell), "s");
    field_set_quantity(record, "bytes_per_s", repack_bandwidth(cell), "B/s");
    field_set(record, "rows_kernel", payment.rows_kernel[0] ? json_string(payment.rows_kernel) : json_null());
    field_set_number(record, "rows_gemv_s", payment.rows_s);
    field_set(record, "order_kernel", payment.order_kernel[0] ? json_string(payment.order_kernel) : json_null());
    field_set_number(record, "order_gemv_s", payment.order_s);
    field_set_number_or_why(record, "pays_after_tokens", payment.tokens, payment.why);
    field_set_interrupted(record, cell);
    field_set(record, "exact", json_boolean(cell->exact));
    field_set_counters(record, cell);
    return record;
}

/* ---- in a characterization ---- */

/** After what is held against it. */
static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    (void)planning, (void)cell;
    return CELL_TERMS;
}

/** To write a byte for the first time, to copy one to where it is read, to move one while it is timed. Seconds. */
static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    static const double TOUCH_S = 3e-10, FILL_S = 2e-10, MOVE_S = 2e-10, LOOK_S = 2e-8, CLOCKS_S = 6e-5;
    const struct repack_cell *own = repack_cell(cell);
    const double cold = (double)session_cold_bytes(session, cell->threads), bytes = packed_bytes(cell) / cell->threads,
                 looked_at = 3.0 * own->order->format->rows_per_panel * (double)own->k * cell->threads;
    return (struct cell_cost){.visit_s = 1e-3 + cold * (TOUCH_S / 2 + (MEMORY_COPIES_PAST_CACHES ? 0 : FILL_S)) +
                                         looked_at * LOOK_S,
                              .sample_s = CLOCKS_S + (MOVE_S + (MEMORY_COPIES_PAST_CACHES ? FILL_S : 0)) * bytes,
                              .bytes = 1100};
}

const struct cell_kind cell_kind_repack = {
    .name = "repack",
    .own = sizeof(struct repack_cell),
    .plan = plan,
    .visit = visit,
    .apart = true,
    .rank = 72,
    .value = value,
    .cost = cost,
    .record = record_of,
};
