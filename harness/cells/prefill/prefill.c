/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prompts. A visit makes weights anew, since of two kernels' models at once memory holds few, runs some layers piece by piece
 * and then the head as often, each time after a read of enough weights to make the caches cold: after the last layer there is
 * nothing of the head in a cache either.
 *
 * Before the first sample a reduced model is computed against a scalar one in double, and at the end of each visit rows of every
 * matrix of the last layer are compared with the scalar reference (decode_check.h, prefill_pass_verify).
 */
#include "harness/cells/prefill/prefill.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/pass_watch.h"
#include "harness/cells/prefill/prefill_model.h"
#include "harness/cells/prefill/prefill_needs.h"
#include "harness/decode/decode_check.h"
#include "harness/measure/session_pool.h"
#include "micro/least.h"
#include "platforms/clock/clock.h"

struct prefill_cell *prefill_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_prefill ? cell->own : NULL;
}

int prefill_add(struct cells *cells, const struct decode_work *work)
{
    struct cell *cell = cells_add(cells, &cell_kind_prefill);
    if (!cell)
        return -ENOMEM;
    struct prefill_cell *own = prefill_cell(cell);
    own->work = *work;
    own->distance = own->huge_fraction = NAN;
    own->steps = prefill_layer_steps(&work->model, work->kernel, own->step);
    own->step[own->steps++] = PREFILL_NORM_HEAD;
    own->step[own->steps++] = PREFILL_HEAD;
    cell->kernel = work->kernel;
    cell->threads = work->threads;
    cell->cold = true;
    cell->repeats = 1;
    snprintf(cell->name, sizeof cell->name, "prefill/%s/%s/%s/n%zu/t%u", work->model.name, work->kernel->name,
             work->head->name, work->tokens, work->threads);
    return 0;
}

/* ---- taking samples ---- */

/** A piece is timed in about this long: interrupts and switches spare most samples of that length, and few longer ones. */
static const double PIECE_S = 0.5e-3;

struct job {
    struct session *session;
    struct cell *cell;
    struct prefill_cell *own;
    struct team *team;
    struct decode_weights weights;
    struct prefill_pass *pass;
    size_t layers;                 /* that the visit runs */
    size_t layer_samples;          /* of a layer's pieces, before those of the heads */
    size_t cold_bytes;             /* that a member reads to make its caches cold */
    uint64_t ticks[PREFILL_STEPS]; /* of each step as a whole, before it is cut */
    struct pass_watch *watch;      /* of kernels of plug-ins; else NULL */
};

/** What is timed: a piece of a step. */
struct timed {
    size_t step; /* of the cell */
    size_t index, piece;
};

/** Sample i in the order of time: the layers' pieces, then those of the heads. */
static struct timed timed_at(const struct job *job, size_t i)
{
    const struct prefill_cell *own = job->own;
    size_t layers = job->layers * job->layer_samples, of_head = own->period - job->layer_samples;
    bool head = i >= layers;
    struct timed at = {.step = head ? own->steps - 2 : 0,
                       .index = head ? (i - layers) / of_head : i / job->layer_samples % own->work.model.layers,
                       .piece = head ? (i - layers) % of_head : i % job->layer_samples};
    while (at.piece >= own->pieces[at.step])
        at.piece -= own->pieces[at.step++];
    return at;
}

/** Read a member's stretches of the layers' matrices, as far as makes its caches cold. */
static void make_cold(const struct job *job, unsigned member)
{
    enum { CACHE_LINE = 64 };
    const struct decode_model *model = &job->weights.model;
    size_t left = job->cold_bytes;
    for (size_t i = 0; left && i < model->distinct * DECODE_ROLES; i++) {
        const struct decode_matrix *matrix = &model->layer[i / DECODE_ROLES].matrix[i % DECODE_ROLES];
        size_t bytes = least(decode_stretches(matrix, member, job->cell->threads).bytes[0], left);
        for (size_t at = 0; at < bytes; at += CACHE_LINE)
            (void)*(const volatile uint8_t *)(matrix->stretch[member] + at);
        left -= bytes;
    }
}

/** A member that waits for another may be switched out, which is no matter before the sample. */
static void before(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    struct timed at = timed_at(job, sample);
    enum prefill_step step = job->own->step[at.step];
    if (at.piece)
        return;
    if (step == PREFILL_NORM_HEAD)
        make_cold(job, member);
    else if (at.step == 0 && at.index == 0)
        prefill_pass_begin(job->pass, member);
    team_barrier(job->team);
}

static void run(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    struct timed at = timed_at(job, sample);
    prefill_pass_step(job->pass, member, at.index, job->own->step[at.step], at.piece, job->own->pieces[at.step]);
}

/** A layer and the head in whole steps, to see how long they take. */
static void time_steps(void *context, unsigned member)
{
    struct job *job = context;
    prefill_pass_begin(job->pass, member);
    team_barrier(job->team);
    for (size_t i = 0; i < job->own->steps; i++) {
        uint64_t begin = tsc_begin().ticks;
        prefill_pass_step(job->pass, member, 0, job->own->step[i], 0, 1);
        if (member == 0)
            job->ticks[i] = tsc_end().ticks - begin;
    }
}

/* ---- watched ---- */

static void run_another(void *context)
{
    struct job *job = context;
    team_run(job->team, time_steps, job);
}

static void watch(void *context, const struct decode_hooks *around)
{
    const struct job *job = context;
    prefill_pass_watch(job->pass, around);
}

static bool overran(const void *context)
{
    const struct job *job = context;
    return prefill_pass_overran(job->pass);
}

static void release_vectors(void *context)
{
    const struct job *job = context;
    prefill_pass_release_vectors(job->pass);
}

static struct pass_watch_passes passes_of(struct job *job)
{
    return (struct pass_watch_passes){job, run_another, watch, overran, release_vectors};
}

/** A layer and the head, watched where a kernel is a plug-in's. */
static int try_pass(struct job *job)
{
    const struct pass_watch_passes passes = passes_of(job);
    int error = pass_watch_open(&job->watch, job->session, job->cell, &passes);
    if (!error && job->watch)
        run_another(job);
    if (!error)
        pass_watch_keep(job->watch, &passes);
    return error;
}

/* ---- a visit ---- */

/** Where each sample belongs, from the numbers of pieces. 0 or -ENOMEM */
static int set_shares(struct prefill_cell *own, const struct prefill_pass *pass)
{
    size_t at = 0;
    own->period = 0;
    for (size_t i = 0; i < own->steps; i++)
        own->period += own->pieces[i];
    free(own->share);
    own->share = calloc(own->period, sizeof *own->share);
    for (size_t i = 0; own->share && i < own->steps; i++) {
        for (size_t piece = 0; piece < own->pieces[i]; piece++)
            own->share[at++] = prefill_pass_share(pass, own->step[i], piece, own->pieces[i]);
    }
    return own->share ? 0 : -ENOMEM;
}

/** At the first visit: pieces of about PIECE_S. */
static int choose_pieces(struct job *job)
{
    struct prefill_cell *own = job->own;
    if (own->period)
        return 0;
    team_run(job->team, time_steps, job);
    for (size_t i = 0; i < own->steps; i++) {
        double pieces = ceil((double)job->ticks[i] / job->session->instruments.tsc_hz / PIECE_S);
        size_t most = prefill_pass_pieces(job->pass, own->step[i]);
        own->pieces[i] = pieces < (double)most ? (size_t)pieces : most;
    }
    return set_shares(own, job->pass);
}

/** Layers of a visit, so that every step has this many samples; of those that are cut one layer has several. */
static void plan_visit(struct job *job, unsigned count)
{
    const struct prefill_cell *own = job->own;
    size_t fewest = SIZE_MAX;
    for (size_t i = 0; i < own->steps; i++)
        fewest = least(fewest, own->pieces[i]);
    job->layers = (count + fewest - 1) / fewest;
    job->layer_samples = own->period - own->pieces[own->steps - 1] - own->pieces[own->steps - 2];
}

/** The matrices' rows are right. */
static int verify(struct job *job)
{
    struct cell *cell = job->cell;
    struct reference_check check;
    int role, error = prefill_pass_verify(job->pass, session_random(job->session), &check, &role);
    if (error)
        return error;
    if (check.wrong)
        return decode_refuse_rows(&job->own->work, role, &check, cell->why, sizeof cell->why);
    cell->verified = cell->exact = true;
    return 0;
}

static int check_reduced(struct job *job, const struct decode_weights_request *request)
{
    if (isfinite(job->own->distance))
        return 0;
    int error =
        decode_check(request, &job->own->code, job->team, &job->own->distance, job->cell->why, sizeof job->cell->why);
    job->cell->error = job->own->distance;
    return error;
}

static int open_pass(struct job *job, unsigned count, size_t distinct)
{
    struct cell *cell = job->cell;
    struct prefill_cell *own = job->own;
    const struct decode_work *work = &own->work;
    job->team = session_team(job->session, cell->threads, cell->why, sizeof cell->why);
    if (!job->team)
        return -EINVAL;
    struct decode_weights_request request = decode_request(work, distinct, session_random(job->session));
    request.heart = job->session->instruments.heart;
    own->code = decode_best_code(job->session);
    job->cold_bytes = session_cold_bytes(job->session, cell->threads);
    int error = check_reduced(job, &request);
    if (error)
        return error;
    error = decode_weights_open(&job->weights, &request, job->team);
    if (error)
        return error;
    own->distinct = own->distinct ? least(own->distinct, distinct) : distinct;
    own->huge_fraction = decode_weights_huge(&job->weights);
    error = prefill_pass_open(&job->pass, &job->weights.model, work->tokens, least(count, work->model.layers),
                              &own->code, job->team, cell->why, sizeof cell->why);
    if (!error)
        error = try_pass(job);
    if (!error)
        error = choose_pieces(job);
    if (!error)
        cell->why[0] = 0;
    return error;
}

static int begin_job(struct job *job, unsigned count)
{
    struct cell *cell = job->cell;
    size_t distinct;
    int error = prefill_fits(job->session, &job->own->work, count, &distinct, cell->why, sizeof cell->why);
    if (error)
        return error;
    char what[200];
    snprintf(what, sizeof what, "the weights and the pass of %s", job->own->work.model.name);
    error = open_pass(job, count, distinct);
    return error == -ENOMEM ? session_no_memory(what, cell->why, sizeof cell->why) : error;
}

static void end_job(struct job *job)
{
    prefill_pass_close(job->pass);
    pass_watch_close(job->watch);
    if (job->weights.block)
        decode_weights_release(&job->weights);
}

/** Samples of a visit, the head of each layer after it, so that the place of a sample says what it is of. */
static int append(const struct job *job, const struct sample *taken, struct sample *sorted)
{
    size_t period = job->own->period, of_layer = job->layer_samples, of_head = period - of_layer;
    for (size_t layer = 0; layer < job->layers; layer++) {
        memcpy(sorted + layer * period, taken + layer * of_layer, of_layer * sizeof *taken);
        memcpy(sorted + layer * period + of_layer, taken + job->layers * of_layer + layer * of_head,
               of_head * sizeof *taken);
    }
    return samples_append(&job->cell->samples, sorted, job->layers * period);
}

static int sample(struct job *job)
{
    size_t all = job->layers * job->own->period;
    struct sample *samples = calloc(2 * all, sizeof *samples);
    struct sampler_work work = {.context = job, .region = job->cell->name, .before = before, .run = run};
    int error = samples ? sampler_take(job->team, &job->session->instruments, &work, samples, (unsigned)all) : -ENOMEM;
    const struct pass_watch_passes passes = passes_of(job);
    if (!error)
        error = verify(job);
    if (!error)
        error = pass_watch_again(job->watch, &passes);
    if (!error)
        error = append(job, samples, samples + all);
    free(samples);
    return error;
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    struct job job = {.session = session, .cell = cell, .own = prefill_cell(cell)};
    int error = begin_job(&job, count);
    if (!error) {
        plan_visit(&job, count);
        error = sample(&job);
    }
    end_job(&job);
    return error;
}

/* ---- what they say ---- */

/** Seconds of a whole step, one a kept sample of its pieces. */
static struct summary summary_of_step(const struct cell *cell, size_t step)
{
    const struct prefill_cell *own = prefill_cell(cell);
    double *seconds = calloc(cell->samples.count + 1, sizeof *seconds);
    size_t kept = 0, all = 0, first = 0;
    struct summary summary;
    for (size_t i = 0; i < step; i++)
        first += own->pieces[i];
    for (size_t i = 0; seconds && i < cell->samples.count; i++) {
        size_t at = i % own->period;
        if (at < first || at >= first + own->pieces[step])
            continue;
        all++;
        if (cell->samples.sample[i].cause == SAMPLE_KEPT)
            seconds[kept++] = cell->samples.sample[i].wall_s / own->share[at];
    }
    stats_summarize(seconds, seconds ? kept : 0, &summary);
    summary.rejected = all - kept;
    free(seconds);
    return summary;
}

/** This many times a step more. It rests on as many samples as the step that has the fewest. */
static void add_times(struct summary *sum, const struct summary *step, double times)
{
    sum->median += times * step->median;
    sum->min += times * step->min;
    sum->max += times * step->max;
    sum->mad += times * step->mad;
    for (int end = 0; end < 2; end++)
        sum->ci95[end] += times * step->ci95[end];
    if (step->n < sum->n) {
        sum->n = step->n;
        sum->rejected = step->rejected;
    }
}

/** Of the steps of a set of parts. */
static struct graded time_of(const struct cell *cell, unsigned set)
{
    const struct prefill_cell *own = prefill_cell(cell);
    struct graded sum = {.grade = "wall", .summary = {.n = SIZE_MAX}};
    for (size_t i = 0; own->share && i < own->steps; i++) {
        struct summary step = summary_of_step(cell, i);
        if (set >> prefill_step_part(own->step[i]) & 1)
            add_times(&sum.summary, &step, prefill_step_is_of_layer(own->step[i]) ? (double)own->work.model.layers : 1);
    }
    if (sum.summary.n == SIZE_MAX) /* no such step: it takes no time, as every sample says */
        sum.summary.n = own->period ? cell->samples.count / own->period : 0;
    return sum;
}

struct graded prefill_time(const struct cell *cell)
{
    return time_of(cell, ~0u);
}

struct graded prefill_part_time(const struct cell *cell, enum decode_part part)
{
    return time_of(cell, 1u << part);
}

struct graded prefill_tokens(const struct cell *cell)
{
    struct graded time = prefill_time(cell);
    const struct summary *of = &time.summary;
    double tokens = (double)prefill_cell(cell)->work.tokens;
    return (struct graded){.grade = time.grade,
                           .summary = {.median = tokens / of->median,
                                       .min = tokens / of->max,
                                       .max = tokens / of->min,
                                       .mad = tokens * of->mad / of->median / of->median,
                                       .ci95 = {tokens / of->ci95[1], tokens / of->ci95[0]},
                                       .n = of->n,
                                       .rejected = of->rejected}};
}

double prefill_alpha(const struct cell *cell)
{
    unsigned set = 0;
    for (int part = 0; part < DECODE_PARTS; part++)
        set |= decode_part_is_gemv((enum decode_part)part) ? 1u << part : 0;
    return summary_stated(time_of(cell, set)) / summary_stated(prefill_time(cell));
}

/** Of the step that has the fewest. */
static size_t kept(const struct cell *cell)
{
    return prefill_cell(cell)->share ? prefill_time(cell).summary.n : 0;
}

/* ---- what a run keeps ---- */

static const char pieces_field[] = "pieces", shares_field[] = "shares";

static void describe(const struct cell *cell, json_t *record)
{
    const struct prefill_cell *own = prefill_cell(cell);
    json_t *pieces = json_array(), *shares = json_array();
    for (size_t i = 0; i < own->steps; i++)
        json_array_append_new(pieces, json_integer((json_int_t)own->pieces[i]));
    for (size_t i = 0; i < own->period; i++)
        json_array_append_new(shares, json_real(own->share[i]));
    json_object_set_new(record, pieces_field, pieces);
    json_object_set_new(record, shares_field, shares);
}

/** What a record says of pieces; nothing of one that contradicts itself. */
static void restore(struct cell *cell, const json_t *record)
{
    struct prefill_cell *own = prefill_cell(cell);
    const json_t *pieces = json_object_get(record, pieces_field), *shares = json_object_get(record, shares_field);
    size_t period = 0, count[PREFILL_STEPS] = {0};
    bool whole = json_array_size(pieces) == own->steps;
    for (size_t i = 0; whole && i < own->steps; i++) {
        json_int_t of = json_integer_value(json_array_get(pieces, i));
        whole = of > 0 && of <= (json_int_t)json_array_size(shares);
        count[i] = whole ? (size_t)of : 0;
        period += count[i];
    }
    for (size_t i = 0; whole && i < period; i++)
        whole = json_number_value(json_array_get(shares, i)) > 0;
    if (!whole || period != json_array_size(shares) || own->share)
        return;
    own->share = calloc(period, sizeof *own->share);
    for (size_t i = 0; own->share && i < period; i++)
        own->share[i] = json_number_value(json_array_get(shares, i));
    own->period = own->share ? period : 0;
    memcpy(own->pieces, count, sizeof own->pieces);
}

/** Samples whose pieces are unknown are not used. */
static bool lacks_choice(const struct cell *cell)
{
    return !prefill_cell(cell)->period;
}

static void release(struct cell *cell)
{
    free(prefill_cell(cell)->share);
}

/** Where the pieces' shares are, which the first visit finds. */
static void **made(const struct cell *cell, size_t *bytes)
{
    struct prefill_cell *own = prefill_cell(cell);
    *bytes = own->period * sizeof *own->share;
    return (void **)&own->share;
}

static const struct kernel *calls(const struct cell *cell, size_t number)
{
    return decode_calls(&prefill_cell(cell)->work, number);
}

const struct cell_kind cell_kind_prefill = {
    .name = "prefill",
    .own = sizeof(struct prefill_cell),
    .release = release,
    .visit = visit,
    .apart = true,
    .made = made,
    .calls = calls,
    .kept = kept,
    .rank = 91,
    .cost = prefill_cost,
    .record = prefill_record,
    .describe = describe,
    .restore = restore,
    .lacks_choice = lacks_choice,
};
