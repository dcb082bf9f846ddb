/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prompts. A visit makes weights anew, since of two kernels' models at once memory holds few, runs some layers piece by piece
 * and then the head as often, each time after a read of enough weights to make the caches cold: after the last layer there is
 * nothing of the head in a cache either.
 *
 * Before the first sample a reduced model is computed against a scalar one in double, and at the end of each visit rows of every
 * matrix of the last layer are compared with the scalar reference (decode_check.h, watched_pass_verify).
 */
#include "harness/cells/prefill/prefill.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/pass_watch.h"
#include "harness/cells/layer/layer.h"
#include "harness/cells/prefill/prefill_kinds.h"
#include "harness/cells/prefill/prefill_model.h"
#include "harness/cells/prefill/prefill_needs.h"
#include "harness/decode/decode_check.h"
#include "harness/measure/session_pool.h"
#include "micro/least.h"
#include "platforms/clock/clock.h"

int prefill_add(struct cells *cells, const struct decode_work *work)
{
    struct cell *cell = cells_add(cells, &cell_kind_prefill);
    if (!cell)
        return -ENOMEM;
    struct prefill_cell *own = prefill_cell(cell);
    own->work = *work;
    own->distance = own->huge_fraction = NAN;
    if (prefill_list_steps(own))
        return -ENOMEM;
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

/** What is timed: a piece of a step. */
struct timed {
    size_t step; /* of the cell */
    size_t index, piece;
    bool cold; /* after a read that leaves nothing of it in a cache */
};

struct job {
    struct session *session;
    struct cell *cell;
    struct prefill_cell *own;
    struct team *team;
    struct decode_weights weights;
    struct prefill_pass *pass;
    size_t rounds;        /* of the visit */
    size_t layer_samples; /* of a round's pieces of layers, before those of the heads */
    struct timed *timed;  /* [rounds * period] in the order of time: the layers' pieces, then those of the heads */
    size_t cold_bytes;    /* that a member reads to make its caches cold */
    uint64_t *ticks;      /* [steps] of each as a whole, before it is cut */
    size_t kind;          /* that is run to be verified */
    struct pass_watch_passes passes;
    struct pass_watch *watch; /* of kernels of plug-ins; else NULL */
};

/** Of the layers between two visits to one of this kind a member reads so little that it may still be in a cache. */
static bool comes_soon(const struct job *job, size_t kind)
{
    const struct decode_model *model = &job->weights.model;
    const struct prefill_cell *own = job->own;
    size_t bytes = 0;
    for (size_t layer = 0; layer < own->work.model.layers; layer++) {
        for (int role = 0; own->kind[layer] == layer && role < DECODE_ROLES; role++)
            bytes +=
                decode_stretches(&model->layer[layer % model->distinct].matrix[role], 0, job->cell->threads).bytes[0];
    }
    return own->kind[own->work.model.layers - 1] && bytes * prefill_layers_of_kind(own, kind) < job->cold_bytes;
}

/** The pieces of some steps in a round. */
static struct timed *time_pieces(const struct job *job, size_t first, size_t end, size_t round, struct timed *at)
{
    const struct prefill_cell *own = job->own;
    for (size_t step = first; step < end; step++) {
        const struct prefill_cell_step *of = &own->step[step];
        bool head = of->stage.step >= PREFILL_LAYER_STEPS, begins = step == 0 || own->step[step - 1].layer != of->layer;
        size_t index = head ? round : prefill_layer_of_round(own, of->layer, round);
        bool cold = head ? of->stage.step == PREFILL_NORM_HEAD : begins && comes_soon(job, of->layer);
        for (size_t piece = 0; piece < own->pieces[step]; piece++)
            *at++ = (struct timed){step, index, piece, cold && !piece};
    }
    return at;
}

/** 0 or -ENOMEM. */
static int list_timed(struct job *job)
{
    size_t steps = job->own->steps;
    job->timed = calloc(job->rounds * job->own->period, sizeof *job->timed);
    struct timed *at = job->timed;
    for (size_t round = 0; at && round < job->rounds; round++)
        at = time_pieces(job, 0, steps - 2, round, at);
    for (size_t round = 0; at && round < job->rounds; round++)
        at = time_pieces(job, steps - 2, steps, round, at);
    return at ? 0 : -ENOMEM;
}

/** Read a member's stretches of layers from this one on, as far as makes its caches cold; `most` layers at most. */
static void make_cold(const struct job *job, unsigned member, size_t layer, size_t most)
{
    enum { CACHE_LINE = 64 };
    const struct decode_model *model = &job->weights.model;
    size_t left = job->cold_bytes;
    for (size_t i = 0; left && i < most * DECODE_ROLES; i++) {
        const struct decode_matrix *matrix =
            &model->layer[(layer + i / DECODE_ROLES) % model->distinct].matrix[i % DECODE_ROLES];
        size_t bytes = least(decode_stretches(matrix, member, job->cell->threads).bytes[0], left);
        for (size_t at = 0; at < bytes; at += CACHE_LINE)
            (void)*(const volatile uint8_t *)(matrix->stretch[member] + at);
        left -= bytes;
    }
}

/** A member that waits for another may be switched out, which is no matter before the sample. */
static void before(void *context, unsigned member, unsigned sample)
{
    const struct job *job = context;
    const struct timed *at = &job->timed[sample];
    size_t distinct = job->weights.model.distinct;
    if (at->piece)
        return;
    if (job->own->step[at->step].stage.step == PREFILL_NORM_HEAD)
        make_cold(job, member, 0, distinct);
    else if (at->cold)
        make_cold(job, member, at->index + 1, distinct - 1);
    if (at->step == 0 && at->index == 0)
        prefill_pass_begin(job->pass, member);
    team_barrier(job->team);
}

static void run(void *context, unsigned member, unsigned sample)
{
    const struct job *job = context;
    const struct timed *at = &job->timed[sample];
    prefill_pass_step(job->pass, member, at->index, &job->own->step[at->step].stage, at->piece,
                      job->own->pieces[at->step]);
}

/** A layer of each kind and the head in whole steps, to see how long they take. */
static void time_steps(void *context, unsigned member)
{
    struct job *job = context;
    prefill_pass_begin(job->pass, member);
    team_barrier(job->team);
    for (size_t i = 0; i < job->own->steps; i++) {
        const struct prefill_cell_step *step = &job->own->step[i];
        uint64_t begin = tsc_begin().ticks;
        prefill_pass_step(job->pass, member, step->layer, &step->stage, 0, 1);
        if (member == 0)
            job->ticks[i] = tsc_end().ticks - begin;
    }
}

/** A layer and the head, watched where a kernel is a plug-in's. */
static int try_pass(struct job *job)
{
    job->passes = (struct pass_watch_passes){prefill_pass_watched(job->pass), time_steps, job, NULL, 0};
    int error = pass_watch_open(&job->watch, job->session, job->cell, &job->passes);
    if (!error && job->watch)
        team_run(job->team, time_steps, job);
    if (!error)
        pass_watch_keep(job->watch);
    return error;
}

/* ---- a visit ---- */

/** Numbers of pieces, and room for the share of each. @return 0 or -ENOMEM */
static int set_pieces(struct prefill_cell *own, const size_t *pieces)
{
    size_t period = 0;
    for (size_t i = 0; i < own->steps; i++)
        period += pieces[i];
    own->pieces = malloc(own->steps * sizeof *own->pieces + period * sizeof(double));
    if (!own->pieces)
        return -ENOMEM;
    memcpy(own->pieces, pieces, own->steps * sizeof *pieces);
    own->period = period;
    return 0;
}

/** At the first visit: pieces of about PIECE_S, and their shares. @return 0 or -ENOMEM */
static int choose_pieces(struct job *job)
{
    struct prefill_cell *own = job->own;
    if (own->pieces)
        return 0;
    team_run(job->team, time_steps, job);
    size_t *chosen = calloc(own->steps, sizeof *chosen);
    for (size_t i = 0; chosen && i < own->steps; i++) {
        double pieces = ceil((double)job->ticks[i] / job->session->instruments.tsc_hz / PIECE_S);
        size_t most = prefill_pass_pieces(job->pass, own->step[i].layer, &own->step[i].stage);
        chosen[i] = pieces < (double)most ? (size_t)pieces : most;
    }
    int error = chosen ? set_pieces(own, chosen) : -ENOMEM;
    double *share = prefill_shares(own);
    for (size_t i = 0; !error && i < own->steps; i++) {
        for (size_t piece = 0; piece < chosen[i]; piece++)
            *share++ = prefill_pass_share(job->pass, own->step[i].layer, &own->step[i].stage, piece, chosen[i]);
    }
    free(chosen);
    return error;
}

/** Rounds of a visit, so that every step has this many samples; of those that are cut one round has several. */
static int plan_visit(struct job *job, unsigned count)
{
    const struct prefill_cell *own = job->own;
    size_t fewest = SIZE_MAX;
    for (size_t i = 0; i < own->steps; i++)
        fewest = least(fewest, own->pieces[i]);
    job->rounds = (count + fewest - 1) / fewest;
    job->layer_samples = own->period - own->pieces[own->steps - 1] - own->pieces[own->steps - 2];
    return list_timed(job);
}

/** A layer of a kind. */
static void run_kind(void *context, unsigned member)
{
    const struct job *job = context;
    for (size_t i = 0; i < job->own->steps - 2; i++) {
        if (job->own->step[i].layer == job->kind)
            prefill_pass_step(job->pass, member, job->kind, &job->own->step[i].stage, 0, 1);
    }
}

/** The matrices' rows are right, of a layer of each kind. */
static int verify(struct job *job)
{
    struct cell *cell = job->cell;
    const struct prefill_cell *own = job->own;
    for (size_t layer = own->work.model.layers; layer-- > 0;) {
        struct reference_check check;
        int role, error;
        if (own->kind[layer] != layer)
            continue;
        job->kind = layer;
        team_run(job->team, run_kind, job);
        error = watched_pass_verify(job->passes.pass, session_random(job->session), &check, &role);
        if (error)
            return error;
        if (check.wrong)
            return decode_refuse_rows(&own->work, layer, role, &check, cell->why, sizeof cell->why);
    }
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
    own->code = layer_best_code(job->session, LAYER_CACHE_BF16);
    job->ticks = calloc(own->steps, sizeof *job->ticks);
    if (!job->ticks)
        return -ENOMEM;
    job->cold_bytes = session_cold_bytes(job->session, cell->threads);
    int error = check_reduced(job, &request);
    if (error)
        return error;
    error = decode_weights_open(&job->weights, &request, job->team);
    if (error)
        return error;
    own->distinct = own->distinct ? least(own->distinct, distinct) : distinct;
    own->huge_fraction = decode_weights_huge(&job->weights);
    error = prefill_pass_open(&job->pass, &job->weights.model, NULL, work->tokens, least(count, work->model.layers),
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
    free(job->ticks);
    free(job->timed);
    if (job->weights.block)
        decode_weights_release(&job->weights);
}

/** Samples of a visit, the head of each round after it, so that the place of a sample says what it is of. */
static int append(const struct job *job, const struct sample *taken, struct sample *sorted)
{
    size_t period = job->own->period, of_layer = job->layer_samples, of_head = period - of_layer;
    for (size_t round = 0; round < job->rounds; round++) {
        memcpy(sorted + round * period, taken + round * of_layer, of_layer * sizeof *taken);
        memcpy(sorted + round * period + of_layer, taken + job->rounds * of_layer + round * of_head,
               of_head * sizeof *taken);
    }
    return samples_append(&job->cell->samples, sorted, job->rounds * period);
}

static int sample(struct job *job)
{
    size_t all = job->rounds * job->own->period;
    struct sample *samples = calloc(2 * all, sizeof *samples);
    struct sampler_work work = {
        .context = job, .region = job->cell->name, .before = before, .run = run, .moves_clock = true};
    int error = samples ? sampler_take(job->team, &job->session->instruments, &work, samples, (unsigned)all) : -ENOMEM;
    if (!error)
        error = verify(job);
    if (!error)
        error = pass_watch_again(job->watch);
    if (!error)
        error = append(job, samples, samples + all);
    free(samples);
    return error;
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    struct job job = {.session = session, .cell = cell, .own = prefill_cell(cell)};
    int error = begin_job(&job, count);
    if (!error)
        error = plan_visit(&job, count);
    if (!error)
        error = sample(&job);
    end_job(&job);
    return error;
}

/* ---- what a run keeps ---- */

/** Of the step that has the fewest. */
static size_t kept(const struct cell *cell)
{
    return prefill_cell(cell)->pieces ? prefill_time(cell).summary.n : 0;
}

static const char pieces_field[] = "pieces", shares_field[] = "shares";

static void describe(const struct cell *cell, json_t *record)
{
    const struct prefill_cell *own = prefill_cell(cell);
    json_t *pieces = json_array(), *shares = json_array();
    for (size_t i = 0; own->pieces && i < own->steps; i++)
        json_array_append_new(pieces, json_integer((json_int_t)own->pieces[i]));
    for (size_t i = 0; i < own->period; i++)
        json_array_append_new(shares, json_real(prefill_shares(own)[i]));
    json_object_set_new(record, pieces_field, pieces);
    json_object_set_new(record, shares_field, shares);
}

/** What a record says of pieces; nothing of one that contradicts itself. */
static void restore(struct cell *cell, const json_t *record)
{
    struct prefill_cell *own = prefill_cell(cell);
    const json_t *pieces = json_object_get(record, pieces_field), *shares = json_object_get(record, shares_field);
    size_t period = 0, *count = calloc(own->steps, sizeof *count);
    bool whole = count && json_array_size(pieces) == own->steps;
    for (size_t i = 0; whole && i < own->steps; i++) {
        json_int_t of = json_integer_value(json_array_get(pieces, i));
        whole = of > 0 && of <= (json_int_t)json_array_size(shares);
        count[i] = whole ? (size_t)of : 0;
        period += count[i];
    }
    whole = whole && period == json_array_size(shares);
    for (size_t i = 0; whole && i < period; i++)
        whole = json_number_value(json_array_get(shares, i)) > 0;
    if (whole && !own->pieces && set_pieces(own, count) == 0) {
        for (size_t i = 0; i < period; i++)
            prefill_shares(own)[i] = json_number_value(json_array_get(shares, i));
    }
    free(count);
}

/** Samples whose pieces are unknown are not used. */
static bool lacks_choice(const struct cell *cell)
{
    return !prefill_cell(cell)->period;
}

static void release(struct cell *cell)
{
    const struct prefill_cell *own = prefill_cell(cell);
    free(own->kind);
    free(own->step);
    free(own->pieces);
}

/** Where the pieces and their shares are, which the first visit finds. */
static void **made(const struct cell *cell, size_t *bytes)
{
    struct prefill_cell *own = prefill_cell(cell);
    *bytes = own->steps * sizeof *own->pieces + own->period * sizeof(double);
    return (void **)&own->pieces;
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
