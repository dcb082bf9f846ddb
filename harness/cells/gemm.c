/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM on a team: N tokens times a packed matrix, its weights cold or warm (harness/cells/cell/weights_read.h). The
 * activations are prepared before anything is timed; what that takes is a cell of kind `prepare`. The result of each visit
 * is compared with the scalar reference, on the pool's own bytes, before anything is timed.
 */
#include "harness/cells/gemm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/roof_beside.h"
#include "harness/cells/cell/weights_read.h"
#include "harness/cells/gemm_plan.h"
#include "harness/cells/gemm_record.h"
#include "harness/cells/gemm_summary.h"
#include "harness/cells/gemm_weights.h"
#include "harness/cells/gemv_schedule.h"
#include "harness/measure/session_level.h"
#include "harness/team/gemm.h"
#include "results/blocks.h"
#include "results/refuse.h"

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

static int set_schedule(struct cell *cell, const struct gemv_schedule_request *request)
{
    struct gemv_schedule *schedule = gemv_schedule_make(request, cell->threads);
    if (!schedule)
        return -ENOMEM;
    gemm_cell(cell)->schedule = schedule;
    gemv_schedule_name(schedule, cell);
    return 0;
}

int gemm_add_scheduled(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                       unsigned threads, bool cold, const struct gemv_schedule_request *request)
{
    struct cell *cell = add(cells, kernel, shape, tokens, threads, cold);
    if (!cell)
        return -ENOMEM;
    return gemv_schedule_is_plain(request, threads) ? 0 : set_schedule(cell, request);
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
    const struct gemv_schedule_request request = {.kind = SCHEDULE_STATIC, .speeds = &speed};
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

struct job {
    struct session *session;
    struct cell *cell;
    struct gemm_cell *own;
    struct gemm gemm;
    struct weights_visit visit;
    int error[SESSION_CPUS_MAX];
};

/** A warm sample follows a call on the same weights: another sample, or that which is verified. */
static void choose_place(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    const uint8_t *weights =
        job->cell->cold ? weights_place(&job->visit, member, sample, gemm_member_bytes(&job->gemm, member)) : NULL;
    if (weights)
        job->gemm.members[member].weights = weights;
}

static void run(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    if (weights_is_roof(job->cell, sample)) {
        weights_read_roof(&job->visit, member);
        return;
    }
    for (unsigned i = 0; i < job->cell->repeats; i++) {
        gemm_run_member(&job->gemm, member, 1 + sample * job->cell->repeats + i);
        team_barrier(job->session->team);
    }
}

/** Verification: one GEMM at the place where each member is. */
static void run_once(void *context, unsigned member)
{
    struct job *job = context;
    job->error[member] = gemm_touch(&job->gemm, member);
    if (!job->error[member])
        gemm_run_member(&job->gemm, member, 0xffffffffu);
    team_barrier(job->session->team);
}

static int verify(struct job *job)
{
    struct cell *cell = job->cell;
    for (unsigned t = 0; t < cell->threads; t++)
        job->gemm.members[t].weights = weights_first(&job->visit, t);
    team_run(job->session->team, run_once, job);
    for (unsigned t = 0; t < cell->threads; t++) {
        if (job->error[t])
            return job->error[t];
    }
    struct reference_check check;
    int error = gemm_verify(&job->gemm, session_random(job->session), &check);
    if (error)
        return error;
    /* of all visits: exact if each was, the worst error */
    cell->exact = reference_is_exact(&check) && (cell->exact || !cell->verified);
    cell->error = reference_error(&check) > cell->error ? reference_error(&check) : cell->error;
    cell->verified = true;
    if (check.wrong)
        snprintf(cell->why, sizeof cell->why,
                 "%s on %zux%zu with %zu tokens and %u threads differs from the scalar reference in %zu of %zu results",
                 cell->kernel->name, job->own->m, job->own->k, job->own->tokens, cell->threads, check.wrong,
                 check.rows);
    return check.wrong ? -EILSEQ : 0;
}

static struct gemm_work work_of(const struct cell *cell)
{
    const struct gemm_cell *own = gemm_cell(cell);
    return (struct gemm_work){cell->kernel, own->m, own->k, own->tokens, cell->threads, cell->cold, own->schedule};
}

static struct weights_read read_of(const struct gemm_work *work)
{
    const struct schedule schedule = gemv_schedule_of(work->schedule);
    size_t share = gemm_largest_share(work->kernel, work->m, work->k, work->tokens, work->threads, &schedule);
    return (struct weights_read){share, work->threads, work->cold};
}

int gemm_fits(const struct session *session, const struct gemm_work *work, char *why, size_t size)
{
    char what[192];
    snprintf(what, sizeof what, "%s on %zux%zu with %zu token%s and %u thread%s", work->kernel->name, work->m, work->k,
             work->tokens, work->tokens == 1 ? "" : "s", work->threads, work->threads == 1 ? "" : "s");
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
static unsigned repeats_of(const struct gemm_work *work, const struct weights_read *read)
{
    static const double SAMPLE_S = 50e-6, BYTES = 40e9, MULTIPLICATIONS = 2e11;
    double reading_s = (double)read->share / BYTES;
    double computing_s = (double)work->m * (double)work->k * (double)work->tokens / work->threads / MULTIPLICATIONS;
    double repeats = SAMPLE_S / (reading_s > computing_s ? reading_s : computing_s) + 1;
    return work->cold ? 1 : repeats > REPEATS_MOST ? REPEATS_MOST : (unsigned)repeats;
}

static int begin_weights(struct job *job)
{
    const struct gemm_work work = work_of(job->cell);
    const struct weights_read read = read_of(&work);
    if (!job->cell->repeats)
        job->cell->repeats = repeats_of(&work, &read);
    int error = weights_begin(&job->visit, job->session, job->cell, &read, job->own->k);
    job->own->copies = job->visit.copies;
    job->own->one_layer = job->visit.one_layer;
    return error;
}

static void touch(void *context, unsigned member)
{
    struct job *job = context;
    job->error[member] = gemm_touch(&job->gemm, member);
}

/** Shares by what each member was seen to do, unless they are known; the pool then holds the largest of them. */
static int schedule_job(struct job *job)
{
    struct cell *cell = job->cell;
    struct gemv_schedule *schedule = job->own->schedule;
    for (unsigned t = 0; schedule && t < cell->threads; t++)
        gemm_emulate_speed(&job->gemm, t, schedule->speed[t]);
    int error = begin_weights(job);
    if (!error && gemv_schedule_needs_weights(schedule)) {
        team_run(job->session->team, touch, job);
        for (unsigned t = 0; !error && t < cell->threads; t++)
            error = job->error[t];
        if (!error)
            error = gemm_weights_measure(job->session, cell, &job->gemm, job->visit.granule);
        if (!error)
            error = begin_weights(job);
    }
    const struct schedule shares = gemv_schedule_of(schedule);
    if (!error && schedule)
        error = gemm_set_schedule(&job->gemm, &shares);
    if (!error && schedule)
        schedule->tail = job->gemm.tail;
    return error;
}

/** A job whose result was right, with its team; *job is to be released whatever is returned. */
static int begin_job(struct session *session, struct cell *cell, struct job *job)
{
    const struct gemm_work work = work_of(cell);
    *job = (struct job){.session = session, .cell = cell, .own = gemm_cell(cell)};
    int error = gemm_fits(session, &work, cell->why, sizeof cell->why);
    if (!error)
        error =
            gemm_prepare(&job->gemm, work.kernel, work.m, work.k, work.tokens, work.threads, session_random(session));
    if (!error && job->own->prefetch_given)
        job->gemm.prefetch_bytes = job->own->prefetch_bytes;
    if (!error)
        error = schedule_job(job);
    if (!error) {
        job->own->scratch_bytes = gemm_scratch_bytes(&job->gemm);
        error = verify(job);
    }
    return error;
}

static void end_job(struct job *job)
{
    if (job && job->gemm.kernel)
        gemm_release(&job->gemm);
    free(job);
}

int gemm_try(struct session *session, const struct gemm_work *work, char *why, size_t size)
{
    const struct shape shape = {.m = work->m, .k = work->k};
    struct cells one = {0};
    struct job *job = calloc(1, sizeof *job);
    int error = job ? gemm_add(&one, work->kernel, &shape, work->tokens, work->threads, work->cold) : -ENOMEM;
    if (!error)
        error = begin_job(session, &one.cell[0], job);
    snprintf(why, size, "%s", one.count && one.cell[0].why[0] ? one.cell[0].why : error ? strerror(-error) : "");
    end_job(job);
    cells_release(&one);
    return error;
}

/** Who drew how much of the tail, in all calls of this visit, its check included. */
static void count_pieces(struct job *job)
{
    struct gemv_schedule *schedule = job->own->schedule;
    for (unsigned t = 0; schedule && t < schedule->members; t++)
        schedule->pieces[t] += job->gemm.members[t].pieces;
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
        snprintf(cell->why, sizeof cell->why, "no memory for %s on %zux%zu with %zu tokens", cell->kernel->name,
                 gemm_cell(cell)->m, gemm_cell(cell)->k, gemm_cell(cell)->tokens);
    end_job(job);
    return error;
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
    gemv_schedule_describe(gemm_cell(cell)->schedule, record);
}

static void restore(struct cell *cell, const json_t *record)
{
    gemv_schedule_restore(gemm_cell(cell)->schedule, record);
}

/** Of shares whose weights nobody knows there are no samples. */
static bool lacks_choice(const struct cell *cell)
{
    return gemv_schedule_needs_weights(gemm_cell(cell)->schedule);
}

static void release(struct cell *cell)
{
    gemv_schedule_release(gemm_cell(cell)->schedule);
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
        error = format_accepts(kernel->format, shape->m, shape->k, why, size);
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
