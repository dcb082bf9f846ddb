/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV on a team, its weights cold or warm (harness/cells/cell/weights_read.h). The result of each visit is compared with
 * the scalar reference on the pool's own bytes before anything is timed.
 */
#include "harness/cells/gemv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/weights_read.h"
#include "harness/cells/gemv_model.h"
#include "harness/cells/gemv_record.h"
#include "harness/cells/gemv_schedule.h"
#include "harness/cells/gemv_summary.h"
#include "harness/cells/gemv_tiers.h"
#include "harness/cells/gemv_weights.h"
#include "harness/measure/session_level.h"
#include "harness/team/gemv.h"
#include "results/blocks.h"
#include "results/refuse.h"

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
static int set_schedule(struct cell *cell, const struct gemv_schedule_request *request)
{
    struct gemv_schedule *schedule = gemv_schedule_make(request, cell->threads);
    if (!schedule)
        return -ENOMEM;
    gemv_cell(cell)->schedule = schedule;
    gemv_schedule_name(schedule, cell);
    return 0;
}

int gemv_add_scheduled(struct cells *cells, const struct kernel *kernel, const struct shape *shape, unsigned threads,
                       bool cold, const struct gemv_schedule_request *request)
{
    struct cell *cell = add(cells, kernel, shape, threads, cold);
    if (!cell)
        return -ENOMEM;
    return gemv_schedule_is_plain(request, threads) ? 0 : set_schedule(cell, request);
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
    const struct gemv_schedule_request request = {.kind = SCHEDULE_STATIC, .speeds = &speed};
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

struct job {
    struct session *session;
    struct cell *cell;
    struct gemv_cell *own;
    struct gemv gemv;
    struct weights_visit visit;
};

static void choose_place(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    struct gemv *gemv = &job->gemv;
    if (!job->cell->cold) {
        gemv_run_member(gemv, member, sample + 0x80000000u);
        return;
    }
    const uint8_t *weights = weights_place(&job->visit, member, sample, gemv_member_bytes(gemv, member));
    if (weights)
        gemv->members[member].weights = weights;
}

static void run(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    const struct cell *cell = job->cell;
    if (weights_is_roof(cell, sample)) {
        weights_read_roof(&job->visit, member);
        return;
    }
    for (unsigned i = 0; i < cell->repeats; i++) {
        gemv_run_member(&job->gemv, member, 1 + sample * cell->repeats + i);
        team_barrier(job->session->team);
    }
}

/** Verification: one GEMV at the place where each member is. */
static void run_once(void *context, unsigned member)
{
    struct job *job = context;
    gemv_run_member(&job->gemv, member, 0xffffffffu);
    team_barrier(job->session->team);
}

static int verify(struct job *job)
{
    struct cell *cell = job->cell;
    for (unsigned t = 0; t < cell->threads; t++)
        job->gemv.members[t].weights = weights_first(&job->visit, t);
    team_run(job->session->team, run_once, job);
    struct reference_check check;
    int error = gemv_verify(&job->gemv, session_random(job->session), &check);
    if (error)
        return error;
    /* of all visits: exact if each was, the worst error */
    cell->exact = reference_is_exact(&check) && (cell->exact || !cell->verified);
    cell->error = reference_error(&check) > cell->error ? reference_error(&check) : cell->error;
    cell->verified = true;
    if (check.wrong)
        snprintf(cell->why, sizeof cell->why,
                 "%s on %zux%zu with %u threads differs from the scalar reference in %zu of %zu rows",
                 cell->kernel->name, job->own->m, job->own->k, cell->threads, check.wrong, check.rows);
    return check.wrong ? -EILSEQ : 0;
}

static struct gemv_work work_of(const struct cell *cell)
{
    const struct gemv_cell *own = gemv_cell(cell);
    return (struct gemv_work){cell->kernel, own->m, own->k, cell->threads, cell->cold, own->schedule};
}

static size_t largest_share(const struct gemv_work *work)
{
    const struct schedule schedule = gemv_schedule_of(work->schedule);
    return gemv_largest_share(work->kernel, work->m, work->k, work->threads, &schedule);
}

static struct weights_read read_of(const struct gemv_work *work)
{
    return (struct weights_read){largest_share(work), work->threads, work->cold};
}

int gemv_fits(const struct session *session, const struct gemv_work *work, char *why, size_t size)
{
    char what[160];
    snprintf(what, sizeof what, "%s on %zux%zu with %u thread%s", work->kernel->name, work->m, work->k, work->threads,
             work->threads == 1 ? "" : "s");
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
static unsigned repeats_of(const struct weights_read *read)
{
    size_t repeats = read->cold ? 1 : (2u << 20) / (read->share + 1) + 1;
    return (unsigned)(repeats > REPEATS_MOST ? REPEATS_MOST : repeats);
}

/** The first members, or the one that the cell is of. NULL with a reason in why. */
static struct team *team_of(struct session *session, struct cell *cell)
{
    return session_team_from(session, cell->member, cell->threads, cell->why, sizeof cell->why);
}

static int begin_weights(struct job *job)
{
    const struct gemv_work work = work_of(job->cell);
    const struct weights_read read = read_of(&work);
    if (!job->cell->repeats)
        job->cell->repeats = repeats_of(&read);
    int error = weights_begin(&job->visit, job->session, job->cell, &read, job->own->k);
    job->own->copies = job->visit.copies;
    job->own->one_layer = job->visit.one_layer;
    return error;
}

/** Shares by what each member was seen to do, unless they are known; the pool then holds the largest of them. */
static int schedule_job(struct job *job)
{
    struct cell *cell = job->cell;
    struct gemv_schedule *schedule = job->own->schedule;
    for (unsigned t = 0; schedule && t < cell->threads; t++)
        gemv_emulate_speed(&job->gemv, t, schedule->speed[t]);
    int error = begin_weights(job);
    if (!error && gemv_schedule_needs_weights(schedule)) {
        error = gemv_weights_measure(job->session, cell, &job->gemv, job->visit.granule);
        if (!error)
            error = begin_weights(job);
    }
    const struct schedule shares = gemv_schedule_of(schedule);
    if (!error && schedule)
        error = gemv_set_schedule(&job->gemv, &shares);
    if (!error && schedule)
        schedule->tail = job->gemv.tail;
    return error;
}

/** A job whose result was right, with its team; *job is to be released whatever is returned. */
static int begin_job(struct session *session, struct cell *cell, struct job *job)
{
    struct gemv_work work = work_of(cell);
    *job = (struct job){.session = session, .cell = cell, .own = gemv_cell(cell)};
    int error = gemv_fits(session, &work, cell->why, sizeof cell->why);
    if (!error)
        error = gemv_prepare(&job->gemv, work.kernel, work.m, work.k, work.threads, session_random(session));
    if (!error && job->own->prefetch_given)
        job->gemv.prefetch_bytes = job->own->prefetch_bytes;
    if (!error)
        error = schedule_job(job);
    if (!error && !team_of(session, cell))
        error = -EINVAL;
    return error ? error : verify(job);
}

static void end_job(struct job *job)
{
    if (job && job->gemv.kernel)
        gemv_release(&job->gemv);
    free(job);
}

int gemv_try(struct session *session, const struct gemv_work *work, char *why, size_t size)
{
    const struct shape shape = {.m = work->m, .k = work->k};
    struct cells one = {0};
    struct job *job = calloc(1, sizeof *job);
    int error = job ? gemv_add(&one, work->kernel, &shape, work->threads, work->cold) : -ENOMEM;
    if (!error)
        error = begin_job(session, &one.cell[0], job);
    snprintf(why, size, "%s", one.count && one.cell[0].why[0] ? one.cell[0].why : error ? strerror(-error) : "");
    end_job(job);
    cells_release(&one);
    return error;
}

/** Who drew how much of the tail, in all calls of this visit, its checks included. */
static void count_pieces(struct job *job)
{
    struct gemv_schedule *schedule = job->own->schedule;
    for (unsigned t = 0; schedule && t < schedule->members; t++)
        schedule->pieces[t] += job->gemv.members[t].pieces;
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    int error = weights_need_roof(session, cell);
    if (error)
        return error;
    struct job *job = calloc(1, sizeof *job);
    error = job ? begin_job(session, cell, job) : -ENOMEM;
    if (!error) {
        const struct sampler_work work = {
            .context = job, .first_member = cell->member, .region = cell->name, .before = choose_place, .run = run};
        error = weights_take(&job->visit, &work, count);
        count_pieces(job);
    }
    if (error == -ENOMEM && !cell->why[0])
        snprintf(cell->why, sizeof cell->why, "no memory for %s on %zux%zu", cell->kernel->name, gemv_cell(cell)->m,
                 gemv_cell(cell)->k);
    end_job(job);
    return error;
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
    gemv_schedule_describe(gemv_cell(cell)->schedule, record);
}

static void restore(struct cell *cell, const json_t *record)
{
    gemv_schedule_restore(gemv_cell(cell)->schedule, record);
}

/** Of shares whose weights nobody knows there are no samples. */
static bool lacks_choice(const struct cell *cell)
{
    return gemv_schedule_needs_weights(gemv_cell(cell)->schedule);
}

static void release(struct cell *cell)
{
    gemv_schedule_release(gemv_cell(cell)->schedule);
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
        error = format_accepts(kernel->format, shape->m, shape->k, why, size);
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
    .lap = gemv_places,
    .filling = filling,
    .kept = kept,
    .rank = 60,
    .value = gemv_value,
    .cost = gemv_cost,
    .settle = gemv_settle,
    .record = gemv_record,
    .derived = gemv_omega_record,
    .describe = describe,
    .restore = restore,
    .lacks_choice = lacks_choice,
};
