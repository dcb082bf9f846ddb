/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV on a team, its weights cold or warm (harness/cells/cell/weights_read.h). The result of each visit is compared with
 * the scalar reference on the pool's own bytes before anything is timed.
 */
#include "harness/cells/gemv/gemv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/weights_read.h"
#include "harness/cells/gemv/gemv_model.h"
#include "harness/cells/gemv/gemv_product.h"
#include "harness/cells/gemv/gemv_record.h"
#include "harness/cells/gemv/gemv_summary.h"
#include "harness/cells/gemv/gemv_tiers.h"
#include "harness/cells/product/product_schedule.h"
#include "harness/cells/product/product_visit.h"
#include "harness/measure/session_level.h"
#include "harness/team/gemv.h"
#include "results/blocks/blocks.h"
#include "results/text/refuse.h"

/** Products within one sample, of a small matrix. */
enum { REPEATS_MOST = 200 };

static struct cell *add(struct cells *cells, const struct kernel *kernel, const struct shape *shape, unsigned threads,
                        bool cold)
{
    struct cell *cell = cells_add(cells, &cell_kind_gemv);
    if (!cell)
        return NULL;
    struct gemv_cell *own = gemv_cell(cell);
    own->m = shape->m;
    own->k = shape->k;
    snprintf(own->models, sizeof own->models, "%s", shape->model);
    snprintf(own->roles, sizeof own->roles, "%s", shape->roles);
    cell->kernel = kernel;
    cell->threads = threads;
    cell->cold = cell->beside_roof = cold;
    snprintf(cell->name, sizeof cell->name, "gemv/%s/%zux%zu/t%u/%s", kernel->name, shape->m, shape->k, threads,
             cold ? "cold" : "warm");
    return cell;
}

int gemv_add(struct cells *cells, const struct kernel *kernel, const struct shape *shape, unsigned threads, bool cold)
{
    return add(cells, kernel, shape, threads, cold) ? 0 : -ENOMEM;
}

/** Give the cell its schedule, and the name that goes with it. */
static int set_schedule(struct cell *cell, const struct product_schedule_request *request)
{
    struct product_schedule *schedule = product_schedule_make(request, cell->threads);
    if (!schedule)
        return -ENOMEM;
    gemv_cell(cell)->schedule = schedule;
    product_schedule_name(schedule, cell);
    return 0;
}

int gemv_add_scheduled(struct cells *cells, const struct kernel *kernel, const struct shape *shape, unsigned threads,
                       bool cold, const struct product_schedule_request *request)
{
    struct cell *cell = add(cells, kernel, shape, threads, cold);
    if (!cell)
        return -ENOMEM;
    return product_schedule_is_plain(request, threads) ? 0 : set_schedule(cell, request);
}

const struct cell *gemv_find_alone(const struct cells *cells, const struct kernel *kernel, const struct shape *shape,
                                   unsigned member, double speed, bool cold)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        const struct gemv_cell *own = gemv_cell(cell);
        if (own && cell->kernel == kernel && own->m == shape->m && own->k == shape->k && cell->threads == 1 &&
            cell->cold == cold && cell->member == member && (own->schedule ? own->schedule->speed[0] : 1) == speed)
            return cell;
    }
    return NULL;
}

/** Whether two teams of a size have members of the same speeds. */
static bool are_alike(const struct product_schedule *one, const struct product_schedule *other)
{
    for (unsigned t = 0; t < one->members; t++) {
        if (one->speed[t] != other->speed[t])
            return false;
    }
    return true;
}

const struct cell *gemv_find_contended(const struct cells *cells, const struct cell *cell)
{
    const struct gemv_cell *own = gemv_cell(cell);
    for (size_t i = 0; own->schedule && i < cells->count; i++) {
        const struct cell *other = &cells->cell[i];
        const struct gemv_cell *its = gemv_cell(other);
        if (its && its->schedule && its->schedule->contended && other->kernel == cell->kernel && its->m == own->m &&
            its->k == own->k && other->threads == cell->threads && other->cold == cell->cold &&
            are_alike(its->schedule, own->schedule))
            return other;
    }
    return NULL;
}

int gemv_add_alone(struct cells *cells, const struct kernel *kernel, const struct shape *shape, unsigned member,
                   double speed, bool cold)
{
    if (gemv_find_alone(cells, kernel, shape, member, speed, cold))
        return 0;
    struct cell *cell = add(cells, kernel, shape, 1, cold);
    if (!cell)
        return -ENOMEM;
    cell->member = member;
    const struct product_schedule_request request = {.kind = SCHEDULE_STATIC, .speeds = &speed};
    return member || speed < 1 ? set_schedule(cell, &request) : 0;
}

int gemv_add_teams(struct cells *cells, const struct kernel *kernel, const struct shape *shape, const unsigned *sizes,
                   size_t teams, bool cold, bool warm)
{
    int error = 0;
    for (size_t t = 0; !error && t < teams; t++) {
        if (cold)
            error = gemv_add(cells, kernel, shape, sizes[t], true);
        if (!error && warm)
            error = gemv_add(cells, kernel, shape, sizes[t], false);
    }
    return error;
}

int gemv_add_prefetched(struct cells *cells, const struct kernel *kernel, const struct shape *shape,
                        const unsigned *sizes, size_t teams)
{
    const struct product_settings settings = {
        .prefetch_given = true, .prefetch_bytes = kernel->prefetch_beside, .our_prefetch = true};
    for (size_t t = 0; kernel->prefetch_beside && t < teams; t++) {
        struct cell *cell = add(cells, kernel, shape, sizes[t], true);
        if (!cell)
            return -ENOMEM;
        gemv_cell(cell)->settings = settings;
        product_settings_name(&settings, cell);
    }
    return 0;
}

static struct gemv_work work_of(const struct cell *cell)
{
    const struct gemv_cell *own = gemv_cell(cell);
    return (struct gemv_work){cell->kernel, own->m, own->k, cell->threads, cell->cold, own->schedule};
}

static size_t largest_share(const struct gemv_work *work)
{
    const struct schedule schedule = product_schedule_of(work->schedule);
    return gemv_largest_share(work->kernel, work->m, work->k, work->threads, &schedule);
}

static struct weights_read read_of(const struct gemv_work *work)
{
    return (struct weights_read){largest_share(work), work->threads, work->cold};
}

/** "f32.dot.avx2 on 64x64 with 2 threads" */
static void say_what(const struct gemv_work *work, char *text, size_t size)
{
    snprintf(text, size, "%s on %zux%zu with %u thread%s", work->kernel->name, work->m, work->k, work->threads,
             work->threads == 1 ? "" : "s");
}

int gemv_fits(const struct session *session, const struct gemv_work *work, char *why, size_t size)
{
    char what[160];
    say_what(work, what, sizeof what);
    const struct weights_read read = read_of(work);
    return weights_fit(session, &read, gemv_working_bytes(work->kernel, work->m, work->k, work->threads), what, why,
                       size);
}

size_t gemv_places(const struct session *session, const struct cell *cell)
{
    const struct gemv_work work = work_of(cell);
    const struct weights_read read = read_of(&work);
    return cell->cold ? weights_copies(session, &read, 64) : 0;
}

/** A warm sample lasts some 50 microseconds: at 40 GB/s a core that is 2 MB. */
static unsigned repeats_of(const struct gemv_work *work)
{
    size_t repeats = work->cold ? 1 : (2u << 20) / (read_of(work).share + 1) + 1;
    return (unsigned)(repeats > REPEATS_MOST ? REPEATS_MOST : repeats);
}

/* ---- taking samples ---- */

static struct weights_read read_of_cell(const struct cell *cell)
{
    const struct gemv_work work = work_of(cell);
    return read_of(&work);
}

static void say_what_of(const struct cell *cell, char *text, size_t size)
{
    const struct gemv_work work = work_of(cell);
    say_what(&work, text, size);
}

static int prepare(struct session *session, struct cell *cell, void *product)
{
    struct gemv *gemv = product;
    const struct gemv_work work = work_of(cell);
    const struct gemv_cell *own = gemv_cell(cell);
    int error = gemv_fits(session, &work, cell->why, sizeof cell->why);
    if (!error)
        error = gemv_prepare(gemv, work.kernel, work.m, work.k, work.threads, session_random(session));
    if (!error && own->settings.prefetch_given)
        gemv->prefetch_bytes = own->settings.prefetch_bytes;
    if (!cell->repeats)
        cell->repeats = repeats_of(&work);
    return error;
}

static void release_product(void *product)
{
    struct gemv *gemv = product;
    if (gemv->kernel)
        gemv_release(gemv);
}

static struct shared_product shared(void *product)
{
    return gemv_product(product);
}

static struct product_schedule *schedule_of(const struct cell *cell)
{
    return gemv_cell(cell)->schedule;
}

static void keep(struct cell *cell, const struct weights_visit *weights, const void *product)
{
    (void)product;
    gemv_cell(cell)->copies = weights->copies;
    gemv_cell(cell)->one_layer = weights->one_layer;
}

static const struct product_cells products = {
    .product_bytes = sizeof(struct gemv),
    .prepare = prepare,
    .release = release_product,
    .shared = shared,
    .schedule = schedule_of,
    .read = read_of_cell,
    .what = say_what_of,
    .keep = keep,
};

int gemv_try(struct session *session, const struct gemv_work *work, char *why, size_t size)
{
    const struct shape shape = {.m = work->m, .k = work->k};
    struct cells one = {0};
    int error = gemv_add(&one, work->kernel, &shape, work->threads, work->cold);
    return product_try(session, &one, error, &products, why, size);
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    return product_visit(session, cell, count, &products);
}

/** The schedule learns who drew what, and the weights of members. */
static void *owned(const struct cell *cell, size_t number, size_t *bytes)
{
    return number ? NULL : product_schedule_memory(gemv_cell(cell)->schedule, bytes);
}

static int ready(struct session *session, struct cell *cell)
{
    return product_ready(session, cell, gemv_cell(cell)->k, &products);
}

static struct session_pool_filling filling(const struct cell *cell)
{
    return (struct session_pool_filling){.format = cell->kernel->format, .k = gemv_cell(cell)->k};
}

/** Of a cold cell those count whose read of the roof was kept, too; and of those with cycles enough must have them. */
static size_t kept(const struct cell *cell)
{
    size_t pairs = cell->cold ? gemv_roof_fraction(cell).summary.n : SIZE_MAX;
    size_t cycles = gemv_bytes_per_cycle(cell).summary.n;
    return pairs < cycles ? pairs : cycles;
}

static enum compare_class class_of(const struct session *session, const struct cell *cell)
{
    size_t share = (size_t)(gemv_packed_bytes(cell) / cell->threads);
    return blocks_class("gemv", cell->cold ? "cold" : "warm", session_level_of(session, share, cell->threads));
}

/* ---- what a run keeps ---- */

static void describe(const struct cell *cell, json_t *record)
{
    product_schedule_describe(gemv_cell(cell)->schedule, record);
}

static void restore(struct cell *cell, const json_t *record)
{
    product_schedule_restore(gemv_cell(cell)->schedule, record);
}

/** Of shares whose weights nobody knows there are no samples. */
static bool lacks_choice(const struct cell *cell)
{
    return product_schedule_needs_weights(gemv_cell(cell)->schedule);
}

static void release(struct cell *cell)
{
    product_schedule_release(gemv_cell(cell)->schedule);
}

/* ---- in a characterization ---- */

/** A paper that varies the threads says so where it times a shape. */
static const char over_threads[] = "over threads";

/** One kernel on one shape, as its tier wants it. */
static int plan_one(struct cells *cells, const struct planning *planning, const struct kernel *kernel, size_t shape,
                    enum gemv_tier tier)
{
    const struct shape *planned = &planning->shapes[shape];
    size_t first = cells->count;
    bool all_teams = tier != GEMV_PAPERS || strstr(planned->timed_by, over_threads);
    size_t narrowest = all_teams ? 0 : planning->teams - 1;
    int error = gemv_add_teams(cells, kernel, planned, planning->sizes + narrowest, planning->teams - narrowest, true,
                               tier != GEMV_PAPERS);
    if (!error)
        error = gemv_add_prefetched(cells, kernel, planned, planning->sizes + narrowest, planning->teams - narrowest);
    for (size_t i = first; i < cells->count; i++) {
        struct gemv_cell *own = gemv_cell(&cells->cell[i]);
        snprintf(own->models, sizeof own->models, "%s", planning->models[shape]);
        snprintf(own->roles, sizeof own->roles, "%s", planning->roles[shape]);
    }
    return error;
}

/** The start of a call with each team, which every prediction has. */
static int plan_starts(struct cells *cells, const struct planning *planning)
{
    int error = 0;
    for (size_t t = 0; !error && t < planning->teams; t++) {
        error = gemv_add_start(cells, planning->session, planning->sizes[t], true);
        if (!error)
            error = gemv_add_start(cells, planning->session, planning->sizes[t], false);
    }
    return error;
}

static int plan(struct cells *cells, const struct planning *planning)
{
    int error = plan_starts(cells, planning);
    for (size_t i = 0; !error && i < GEMV_TIERS * planning->shape_count; i++) {
        enum gemv_tier tier = (enum gemv_tier)(i / planning->shape_count);
        size_t shape = i % planning->shape_count;
        for (const struct kernel *const *kernel = kernel_all(); !error && *kernel; kernel++) {
            if (gemv_tier_of(planning->session, *kernel, &planning->shapes[shape]) == tier)
                error = plan_one(cells, planning, *kernel, shape, tier);
        }
    }
    return error;
}

/* ---- in a comparison ---- */

static int offer(struct cells *cells, const struct kernel *kernel, const struct sequence *sequence,
                 const struct cell_options *options, char *why, size_t size)
{
    int error = 0;
    for (size_t s = 0; kernel && kernel->gemv && !sequence && !error && s < options->shape_count; s++) {
        const struct shape *shape = &options->shapes[s];
        error = kernel_accepts(kernel, shape->m, shape->k, why, size);
        if (!error)
            error =
                gemv_add_teams(cells, kernel, shape, options->teams, options->team_count, options->cold, options->warm);
    }
    return error == -ENOMEM ? refuse(error, why, size, "no memory") : error;
}

const struct cell_kind cell_kind_gemv = {
    .repeats_most = REPEATS_MOST,
    .name = "gemv",
    .own = sizeof(struct gemv_cell),
    .release = release,
    .plan = plan,
    .offer = offer,
    .class_of = class_of,
    .visit = visit,
    .apart = true,
    .owned = owned,
    .ready = ready,
    .lap = gemv_places,
    .filling = filling,
    .kept = kept,
    .rank = 60,
    .value = gemv_value,
    .cost = gemv_cost,
    .of_use_together = gemv_of_use_together,
    .settle = gemv_settle,
    .record = gemv_record,
    .derived = gemv_omega_record,
    .describe = describe,
    .restore = restore,
    .lacks_choice = lacks_choice,
};
