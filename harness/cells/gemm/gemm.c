/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM on a team: N tokens times a packed matrix, its weights cold or warm (harness/cells/cell/weights_read.h). The
 * activations are prepared before anything is timed; what that takes is a cell of kind `prepare`. The result of each visit
 * is compared with the scalar reference, on the pool's own bytes, before anything is timed.
 */
#include "harness/cells/gemm/gemm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/roof_beside.h"
#include "harness/cells/cell/weights_read.h"
#include "harness/cells/gemm/gemm_plan.h"
#include "harness/cells/gemm/gemm_product.h"
#include "harness/cells/gemm/gemm_record.h"
#include "harness/cells/gemm/gemm_summary.h"
#include "harness/cells/product/product_schedule.h"
#include "harness/cells/product/product_visit.h"
#include "harness/measure/session_level.h"
#include "harness/team/gemm.h"
#include "results/blocks/blocks.h"
#include "results/text/refuse.h"

/** Products within one sample, of a small matrix and few tokens. */
enum { REPEATS_MOST = 200 };

static struct cell *add(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                        unsigned threads, bool cold)
{
    struct cell *cell = cells_add(cells, &cell_kind_gemm);
    if (!cell)
        return NULL;
    struct gemm_cell *own = gemm_cell(cell);
    own->m = shape->m;
    own->k = shape->k;
    own->tokens = tokens;
    snprintf(own->models, sizeof own->models, "%s", shape->model);
    snprintf(own->roles, sizeof own->roles, "%s", shape->roles);
    cell->kernel = kernel;
    cell->threads = threads;
    cell->cold = cell->beside_roof = cold;
    snprintf(cell->name, sizeof cell->name, "gemm/%s/%zux%zu/n%zu/t%u/%s", kernel->name, shape->m, shape->k, tokens,
             threads, cold ? "cold" : "warm");
    return cell;
}

int gemm_add(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
             unsigned threads, bool cold)
{
    return add(cells, kernel, shape, tokens, threads, cold) ? 0 : -ENOMEM;
}

static int set_schedule(struct cell *cell, const struct product_schedule_request *request)
{
    struct product_schedule *schedule = product_schedule_make(request, cell->threads);
    if (!schedule)
        return -ENOMEM;
    gemm_cell(cell)->schedule = schedule;
    product_schedule_name(schedule, cell);
    return 0;
}

int gemm_add_scheduled(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                       unsigned threads, bool cold, const struct product_schedule_request *request)
{
    struct cell *cell = add(cells, kernel, shape, tokens, threads, cold);
    if (!cell)
        return -ENOMEM;
    return product_schedule_is_plain(request, threads) ? 0 : set_schedule(cell, request);
}

const struct cell *gemm_find_alone(const struct cells *cells, const struct kernel *kernel, const struct shape *shape,
                                   size_t tokens, unsigned member, double speed, bool cold)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        const struct gemm_cell *own = gemm_cell(cell);
        if (own && cell->kernel == kernel && own->m == shape->m && own->k == shape->k && own->tokens == tokens &&
            cell->threads == 1 && cell->cold == cold && cell->member == member &&
            (own->schedule ? own->schedule->speed[0] : 1) == speed)
            return cell;
    }
    return NULL;
}

int gemm_add_alone(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                   unsigned member, double speed, bool cold)
{
    if (gemm_find_alone(cells, kernel, shape, tokens, member, speed, cold))
        return 0;
    struct cell *cell = add(cells, kernel, shape, tokens, 1, cold);
    if (!cell)
        return -ENOMEM;
    cell->member = member;
    const struct product_schedule_request request = {.kind = SCHEDULE_STATIC, .speeds = &speed};
    return member || speed < 1 ? set_schedule(cell, &request) : 0;
}

int gemm_add_teams(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                   const unsigned *sizes, size_t teams, bool cold, bool warm)
{
    int error = 0;
    for (size_t t = 0; !error && t < teams; t++) {
        if (cold)
            error = gemm_add(cells, kernel, shape, tokens, sizes[t], true);
        if (!error && warm)
            error = gemm_add(cells, kernel, shape, tokens, sizes[t], false);
    }
    return error;
}

static struct gemm_work work_of(const struct cell *cell)
{
    const struct gemm_cell *own = gemm_cell(cell);
    return (struct gemm_work){cell->kernel,  own->m,     own->k,        own->tokens,
                              cell->threads, cell->cold, own->schedule, own->settings.shares_tokens};
}

static struct weights_read read_of(const struct gemm_work *work)
{
    struct schedule schedule = product_schedule_of(work->schedule);
    schedule.shares_tokens = work->shares_tokens;
    size_t share = gemm_largest_share(work->kernel, work->m, work->k, work->tokens, work->threads, &schedule);
    return (struct weights_read){share, work->threads, work->cold};
}

/** "f32.tile.avx2 on 64x64 with 8 tokens and 2 threads" */
static void say_what(const struct gemm_work *work, char *text, size_t size)
{
    snprintf(text, size, "%s on %zux%zu with %zu token%s and %u thread%s", work->kernel->name, work->m, work->k,
             work->tokens, work->tokens == 1 ? "" : "s", work->threads, work->threads == 1 ? "" : "s");
}

int gemm_fits(const struct session *session, const struct gemm_work *work, char *why, size_t size)
{
    char what[192];
    say_what(work, what, sizeof what);
    const struct weights_read read = read_of(work);
    return weights_fit(session, &read, gemm_working_bytes(work->kernel, work->m, work->k, work->tokens, work->threads),
                       what, why, size);
}

size_t gemm_places(const struct session *session, const struct cell *cell)
{
    const struct gemm_work work = work_of(cell);
    const struct weights_read read = read_of(&work);
    return cell->cold ? weights_copies(session, &read, 64) : 0;
}

/** A warm sample lasts some 50 microseconds at 40 GB/s and 200 billion multiplications a second of a core. */
static unsigned repeats_of(const struct gemm_work *work)
{
    static const double SAMPLE_S = 50e-6, BYTES = 40e9, MULTIPLICATIONS = 2e11;
    double reading_s = (double)read_of(work).share / BYTES;
    double computing_s = (double)work->m * (double)work->k * (double)work->tokens / work->threads / MULTIPLICATIONS;
    double repeats = SAMPLE_S / (reading_s > computing_s ? reading_s : computing_s) + 1;
    return work->cold ? 1 : repeats > REPEATS_MOST ? REPEATS_MOST : (unsigned)repeats;
}

/* ---- taking samples ---- */

static struct weights_read read_of_cell(const struct cell *cell)
{
    const struct gemm_work work = work_of(cell);
    return read_of(&work);
}

static void say_what_of(const struct cell *cell, char *text, size_t size)
{
    const struct gemm_work work = work_of(cell);
    say_what(&work, text, size);
}

/** The settings of a cell; a schedule of its own comes later, and shares panels. 0 or -ENOMEM */
static int set_up(struct gemm *gemm, const struct gemm_cell *own)
{
    const struct product_settings *settings = &own->settings;
    if (settings->prefetch_given)
        gemm->prefetch_bytes = settings->prefetch_bytes;
    if (settings->run)
        gemm->run = settings->run;
    const struct schedule by_tokens = {.kind = SCHEDULE_STATIC, .shares_tokens = true};
    return settings->shares_tokens ? gemm_set_schedule(gemm, &by_tokens) : 0;
}

static int prepare(struct session *session, struct cell *cell, void *product)
{
    struct gemm *gemm = product;
    const struct gemm_work work = work_of(cell);
    const struct gemm_cell *own = gemm_cell(cell);
    int error = gemm_fits(session, &work, cell->why, sizeof cell->why);
    if (!error)
        error = gemm_prepare(gemm, work.kernel, work.m, work.k, work.tokens, work.threads, session_random(session));
    if (!error)
        error = set_up(gemm, own);
    if (!cell->repeats)
        cell->repeats = repeats_of(&work);
    return error;
}

static void release_product(void *product)
{
    struct gemm *gemm = product;
    if (gemm->kernel)
        gemm_release(gemm);
}

static struct shared_product shared(void *product)
{
    return gemm_product(product);
}

static struct product_schedule *schedule_of(const struct cell *cell)
{
    return gemm_cell(cell)->schedule;
}

static void keep(struct cell *cell, const struct weights_visit *weights, const void *product)
{
    struct gemm_cell *own = gemm_cell(cell);
    own->copies = weights->copies;
    own->one_layer = weights->one_layer;
    own->scratch_bytes = gemm_scratch_bytes(product);
}

static const struct product_cells products = {
    .product_bytes = sizeof(struct gemm),
    .prepare = prepare,
    .release = release_product,
    .shared = shared,
    .schedule = schedule_of,
    .read = read_of_cell,
    .what = say_what_of,
    .keep = keep,
};

int gemm_try(struct session *session, const struct gemm_work *work, char *why, size_t size)
{
    const struct shape shape = {.m = work->m, .k = work->k};
    struct cells one = {0};
    int error = gemm_add(&one, work->kernel, &shape, work->tokens, work->threads, work->cold);
    return product_try(session, &one, error, &products, why, size);
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    return product_visit(session, cell, count, &products);
}

/** The schedule learns who drew what, and the weights of members. */
static void *owned(const struct cell *cell, size_t number, size_t *bytes)
{
    return number ? NULL : product_schedule_memory(gemm_cell(cell)->schedule, bytes);
}

static int ready(struct session *session, struct cell *cell)
{
    return product_ready(session, cell, gemm_cell(cell)->k, &products);
}

static struct session_pool_filling filling(const struct cell *cell)
{
    return (struct session_pool_filling){.format = cell->kernel->format, .k = gemm_cell(cell)->k};
}

/** Of a cold cell those count whose read of the roof was kept, too; and of those with cycles enough must have them. */
static size_t kept(const struct cell *cell)
{
    size_t pairs = cell->cold ? gemm_roof_fraction(cell).summary.n : SIZE_MAX;
    size_t cycles = gemm_operations(cell).summary.n;
    return pairs < cycles ? pairs : cycles;
}

static enum compare_class class_of(const struct session *session, const struct cell *cell)
{
    return blocks_class("gemm", cell->cold ? "cold" : "warm", gemm_level(session, cell));
}

static void settle(struct cells *cells)
{
    roof_beside_choose_all(cells, &cell_kind_gemm);
}

/* ---- what a run keeps ---- */

static void describe(const struct cell *cell, json_t *record)
{
    product_schedule_describe(gemm_cell(cell)->schedule, record);
}

static void restore(struct cell *cell, const json_t *record)
{
    product_schedule_restore(gemm_cell(cell)->schedule, record);
}

/** Of shares whose weights nobody knows there are no samples. */
static bool lacks_choice(const struct cell *cell)
{
    return product_schedule_needs_weights(gemm_cell(cell)->schedule);
}

static void release(struct cell *cell)
{
    product_schedule_release(gemm_cell(cell)->schedule);
}

/* ---- in a comparison ---- */

static int offer(struct cells *cells, const struct kernel *kernel, const struct sequence *sequence,
                 const struct cell_options *options, char *why, size_t size)
{
    /* one token, where memory binds, and a number of them where multiplying does */
    static const size_t tokens[] = {1, 64};
    int error = 0;
    for (size_t i = 0; kernel && kernel->gemm.run && !sequence && !error && i < 2 * options->shape_count; i++) {
        const struct shape *shape = &options->shapes[i / 2];
        error = kernel_accepts(kernel, shape->m, shape->k, why, size);
        if (!error)
            error = gemm_add_teams(cells, kernel, shape, tokens[i % 2], options->teams, options->team_count,
                                   options->cold, options->warm);
    }
    return error == -ENOMEM ? refuse(error, why, size, "no memory") : error;
}

const struct cell_kind cell_kind_gemm = {
    .repeats_most = REPEATS_MOST,
    .name = "gemm",
    .own = sizeof(struct gemm_cell),
    .release = release,
    .plan = gemm_plan,
    .offer = offer,
    .class_of = class_of,
    .visit = visit,
    .apart = true,
    .owned = owned,
    .ready = ready,
    .lap = gemm_places,
    .filling = filling,
    .kept = kept,
    .rank = 65,
    .value = gemm_value,
    .cost = gemm_cost,
    .settle = settle,
    .record = gemm_record,
    .derived = gemm_model_record,
    .describe = describe,
    .restore = restore,
    .lacks_choice = lacks_choice,
};
