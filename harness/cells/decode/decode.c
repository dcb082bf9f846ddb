/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decode: one token, or one of each user, through a whole model. A sample is a pass, which reads the weights of every layer once, in order, as
 * a model that is larger than the caches always does: nothing has to be done to make it cold. A visit makes the weights
 * anew, since of two kernels' models at once memory holds few; it lasts a second or two longer for that.
 *
 * Before the first sample a reduced model is computed against a scalar one in double, and of each visit's first pass rows of
 * every matrix of the last layer are compared with the scalar reference (decode_check.h, watched_pass_verify).
 *
 * The parts of a pass are what its first member's time-stamp counter said at the barriers inside it. They are kept, or
 * rejected, with the pass.
 */
#include "harness/cells/decode/decode.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/pass_watch.h"
#include "harness/cells/cell/roof_paired.h"
#include "harness/cells/cell/weights_read.h"
#include "harness/cells/decode/decode_model.h"
#include "harness/cells/decode/decode_plan.h"
#include "harness/cells/decode/decode_restore.h"
#include "harness/cells/gemv/gemv.h"
#include "harness/cells/layer/layer.h"
#include "harness/decode/decode_check.h"
#include "harness/decode/prefill_pass.h"
#include "harness/measure/session_pool.h"
#include "results/text/refuse.h"

/* ---- taking samples ---- */

/** What a stream leaves of a stretch, whose bytes are not whole units, is a load for each line. */
static void read_bytes(const void *context, const uint8_t *place, size_t bytes)
{
    size_t whole = bytes / SESSION_STREAM_UNIT * SESSION_STREAM_UNIT;
    if (whole)
        session_stream_read(context, place, whole, false);
    for (size_t at = whole; at < bytes; at += 64)
        __asm__ volatile("" ::"r"(*(const volatile uint8_t *)(place + at)));
}

struct job {
    struct session *session;
    struct cell *cell;
    struct decode_cell *own;
    struct team *team;
    struct decode_weights weights;
    struct decode_cache cache;
    struct decode_pass *pass;
    struct prefill_pass *batch; /* of several users, in its place */
    struct decode_ticks *ticks; /* of each pair of the visit */
    size_t roof_bytes;          /* of a member, in a read of the roof */
    struct pass_watch_passes passes;
    struct pass_watch *watch; /* of kernels of plug-ins; else NULL */
};

/** Samples come in pairs: the roof, then the token. */
static bool is_roof(unsigned sample)
{
    return sample % 2 == 0;
}

/** Another part of the member's weights each time, so that all of them have their turn. */
static void read_roof(const struct job *job, unsigned member, unsigned pair)
{
    const struct memory_block *block = &job->weights.block[member];
    size_t places = block->length / job->roof_bytes;
    session_stream_read(&job->session->roof[job->cell->threads].stream, block->bytes + pair % places * job->roof_bytes,
                        job->roof_bytes, false);
}

static void run_pass(const struct job *job, unsigned member, struct decode_ticks *ticks)
{
    if (job->batch)
        prefill_pass_run(job->batch, member, ticks);
    else
        decode_pass_run(job->pass, member, ticks);
}

static void run(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    if (is_roof(sample))
        read_roof(job, member, sample / 2);
    else
        run_pass(job, member, &job->ticks[sample / 2]);
}

static void run_once(void *context, unsigned member)
{
    const struct job *job = context;
    run_pass(job, member, NULL);
}

/* ---- watched ---- */

/** Whether every pass leads to the same: pieces that are drawn may change how sums of floats are rounded. */
static bool is_looked_at(const struct job *job)
{
    return job->watch && !job->own->schedule;
}

static void look_at_pass(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    if (sample == 0 || is_roof(sample - 1))
        return;
    if (member == 0)
        pass_watch_sample(job->watch);
    team_barrier(job->team);
}

/* ---- a visit ---- */

/** As long as memory takes to show what it gives, where the weights are that many. */
enum { ROOF_BYTES_MOST = 64 << 20 };

/** -EINVAL for weights of fewer bytes than a stream reads. */
static int begin_roof(struct job *job)
{
    struct cell *cell = job->cell;
    size_t bytes = ROOF_BYTES_MOST;
    for (unsigned t = 0; t < cell->threads; t++)
        bytes = job->weights.block[t].length < bytes ? job->weights.block[t].length : bytes;
    job->roof_bytes = bytes / SESSION_STREAM_UNIT * SESSION_STREAM_UNIT;
    cell->roof_bytes = job->roof_bytes * cell->threads;
    return job->roof_bytes ? 0
                           : refuse(-EINVAL, cell->why, sizeof cell->why, "%s has too few weights for %u threads",
                                    job->own->work.model.name, cell->threads);
}

/** What is known of a pass once it was run. Operands of a batch are made by groups of tokens, by all members. */
static void note_pass(const struct job *job)
{
    struct decode_cell *own = job->own;
    own->joins = job->batch ? prefill_pass_met(job->batch) : decode_pass_joins(job->pass);
    own->stamps = job->batch ? prefill_pass_stamps(job->batch) : decode_pass_stamps(job->pass);
    own->stamp_s = decode_stamp_s(job->session->instruments.tsc_hz);
    own->shares_operand = job->batch || decode_pass_shares_operand(job->pass);
    own->huge_fraction = decode_weights_huge(&job->weights);
}

/** The first pass: its matrices' rows are right, and what is known of it afterwards. */
static int try_pass(struct job *job)
{
    struct cell *cell = job->cell;
    struct decode_cell *own = job->own;
    struct reference_check check;
    const size_t logits = decode_work_given(&own->work) * own->work.model.vocabulary;
    job->passes = (struct pass_watch_passes){
        .pass = job->batch ? prefill_pass_watched(job->batch) : decode_pass_watched(job->pass),
        .run = run_once,
        .context = job,
        .outcome = job->batch ? prefill_pass_logits(job->batch) : decode_pass_logits(job->pass),
        .outcome_bytes = logits * sizeof(float)};
    int role, error = pass_watch_open(&job->watch, job->session, cell, &job->passes);
    if (error)
        return error;
    team_run(job->team, run_once, job);
    pass_watch_keep(job->watch);
    error = watched_pass_verify(job->passes.pass, session_random(job->session), &check, &role);
    if (error)
        return error;
    if (check.wrong)
        return decode_refuse_rows(&own->work, own->work.model.layers - 1, role, &check, cell->why, sizeof cell->why);
    cell->verified = cell->exact = true;
    note_pass(job);
    return 0;
}

static int check_with(struct job *job, struct decode_weights_request request, const struct kernel *kernel,
                      const struct kernel *head)
{
    double distance;
    for (int role = 0; role < DECODE_ROLES; role++)
        request.kernel[role] = kernel;
    request.head = head;
    request.given = NULL;
    int error = decode_check(&request, &job->own->code, job->team, &distance, job->cell->why, sizeof job->cell->why);
    job->own->distance = fmax(job->own->distance, distance);
    return error;
}

/** Once in a process, the worst of all is kept: of several kernels each by itself, and of none the plainest of floats. */
static int check_reduced(struct job *job, const struct decode_weights_request *request)
{
    struct decode_cell *own = job->own;
    struct decode_use uses[DECODE_USES_MOST];
    size_t count = own->checked ? 0 : decode_uses(&own->work, uses), called = 0;
    int error = 0;
    for (size_t i = 0; !error && own->work.given && i < count; i++) {
        const struct kernel *kernel = uses[i].kernel;
        if (decode_is_read(kernel))
            continue;
        error = check_with(job, *request, kernel, kernel);
        called++;
    }
    if (!error && !own->checked && !own->work.given)
        error = check_with(job, *request, own->work.kernel, own->work.head);
    else if (!error && !own->checked && !called) {
        const struct kernel *floats = decode_kernel_of(job->session, format_find("f32"), own->work.users > 0);
        error = check_with(job, *request, floats, floats);
    }
    own->checked = !error;
    job->cell->error = own->distance;
    return error;
}

/** Weights of the team, which the largest matrix of a layer and the head say. */
static int find_weights(struct job *job)
{
    struct decode_cell *own = job->own;
    struct cell *cell = job->cell;
    struct shape up = {.count = 1}, head = {.count = 1, .m = own->work.model.vocabulary, .k = own->work.model.hidden};
    int error = 0;
    decode_shape(&own->work.model, DECODE_UP, &up.m, &up.k);
    if (product_schedule_needs_weights(own->schedule))
        error = gemv_weights_find(job->session, own->work.kernel, &up, own->schedule, cell->why, sizeof cell->why);
    if (!error && product_schedule_needs_weights(own->head_schedule))
        error = gemv_weights_find(job->session, own->work.head, &head, own->head_schedule, cell->why, sizeof cell->why);
    job->team = error ? NULL : session_team(job->session, cell->threads, cell->why, sizeof cell->why);
    return error ? error : job->team ? 0 : -EINVAL;
}

/** Whether a table has a distance for every matrix of a kernel. */
static bool is_tabled(const struct decode_work *work, const struct kernel *kernel)
{
    bool tabled = !work->given;
    for (int role = 0; tabled && role <= DECODE_ROLES; role++)
        tabled = work->prefetch[role].given || decode_kernel_at(work, 0, role) != kernel;
    return tabled;
}

/**
 * Distances that GEMVs of the kernels have found with this team, or find now, before the first sample: all samples of a cell have the same ones.
 */
static void take_distances(struct session *session, const struct cell *cell)
{
    struct decode_work *work = &decode_cell(cell)->work;
    const bool open = session->tunes && !work->users && !cell->samples.count && !work->found.count;
    struct decode_use uses[DECODE_USES_MOST];
    size_t count = open ? decode_uses(work, uses) : 0;
    for (size_t i = 0; i < count; i++) {
        if (decode_is_read(uses[i].kernel) || is_tabled(work, uses[i].kernel))
            continue;
        if (session->tunes == SESSION_TUNES_CELLS)
            product_find_distance(session, uses[i].kernel, work->threads);
        const struct session_distance *known = session_distance_of(session, uses[i].kernel, work->threads);
        if (known)
            decode_keep_found(work, uses[i].kernel, known->bytes);
    }
}

static int open_pass(struct job *job, size_t distinct)
{
    struct cell *cell = job->cell;
    struct decode_cell *own = job->own;
    const struct decode_work *work = &own->work;
    job->team = session_team(job->session, cell->threads, cell->why, sizeof cell->why);
    if (!job->team)
        return -EINVAL;
    int error = find_weights(job);
    if (error)
        return error;
    struct decode_weights_request request = decode_request(work, distinct, session_random(job->session));
    request.heart = job->session->instruments.heart;
    request.schedule = product_schedule_of(own->schedule);
    request.head_schedule = product_schedule_of(own->head_schedule);
    request.speeds = own->schedule ? own->schedule->speed : NULL;
    request.reader = (struct decode_reader){read_bytes, &job->session->roof[cell->threads].stream};
    own->code = layer_best_code(job->session, work->cache);
    error = check_reduced(job, &request);
    if (error)
        return error;
    error = decode_weights_open(&job->weights, &request, job->team);
    if (!error)
        error = decode_cache_open(&job->cache, work->cache, &work->model, decode_work_given(work), work->model.layers,
                                  &work->context, job->team, request.seed);
    if (error)
        return error;
    own->distinct = own->distinct && own->distinct < distinct ? own->distinct : distinct;
    error = work->users ? prefill_pass_open(&job->batch, &job->weights.model, &job->cache, work->users,
                                            work->model.layers, &own->code, job->team, cell->why, sizeof cell->why)
                        : decode_pass_open(&job->pass, &job->weights.model, &job->cache, &own->code, job->team,
                                           cell->why, sizeof cell->why);
    if (error)
        return error;
    cell->why[0] = 0;
    error = begin_roof(job);
    return error ? error : try_pass(job);
}

static int begin_job(struct job *job)
{
    struct cell *cell = job->cell;
    size_t distinct;
    take_distances(job->session, cell);
    int error = decode_fits(job->session, &job->own->work, &distinct, cell->why, sizeof cell->why);
    if (error)
        return error;
    char what[200];
    snprintf(what, sizeof what, "the weights and the pass of %s", job->own->work.model.name);
    error = open_pass(job, distinct);
    return error == -ENOMEM ? session_no_memory(what, cell->why, sizeof cell->why) : error;
}

static void end_job(struct job *job)
{
    decode_pass_close(job->pass);
    prefill_pass_close(job->batch);
    if (job->cache.block)
        decode_cache_release(&job->cache);
    if (job->weights.block)
        decode_weights_release(&job->weights);
    pass_watch_close(job->watch);
    free(job->ticks);
}

static struct decode_parts parts_of(const struct decode_ticks *ticks, double tsc_hz)
{
    struct decode_parts parts;
    for (int part = 0; part < DECODE_PARTS; part++)
        parts.ns[part] = (uint64_t)llround(1e9 * (double)ticks->of[part] / tsc_hz);
    return parts;
}

/** Pairs of a visit: the roof, and the token with its parts. */
static int append(struct job *job, struct sample *samples, unsigned pairs)
{
    struct decode_cell *own = job->own;
    struct cell *cell = job->cell;
    int error = 0;
    if (!own->timed)
        own->first_timed = cell->samples.count;
    for (unsigned i = 0; !error && i < pairs; i++) {
        samples[2 * i].stream = session_stream_id(&job->session->roof[cell->threads].stream);
        error = samples_append(&cell->roof, &samples[2 * i], 1);
        if (!error)
            error = samples_append(&cell->samples, &samples[2 * i + 1], 1);
        if (!error && own->timed < DECODE_TIMED_MOST)
            own->parts[own->timed++] = parts_of(&job->ticks[i], job->session->instruments.tsc_hz);
    }
    return error;
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    struct job job = {.session = session, .cell = cell, .own = decode_cell(cell)};
    struct sample *samples = calloc(2 * count, sizeof *samples);
    job.ticks = calloc(count, sizeof *job.ticks);
    int error = weights_need_roof(session, cell);
    if (!error)
        error = samples && job.ticks ? begin_job(&job) : -ENOMEM;
    if (!error) {
        struct sampler_work work = {.context = &job,
                                    .region = cell->name,
                                    .before = is_looked_at(&job) ? look_at_pass : NULL,
                                    .run = run,
                                    .moves_clock = decode_work_at_once(&job.own->work) > 0};
        error = sampler_take(job.team, &session->instruments, &work, samples, 2 * count);
    }
    if (!error && is_looked_at(&job))
        pass_watch_sample(job.watch);
    if (!error)
        error = pass_watch_again(job.watch);
    if (!error)
        error = append(&job, samples, count);
    const struct sampler_work token = {.context = &job, .run = run};
    if (!error)
        error = energy_take(session, cell, &token, 1, 0);
    end_job(&job);
    free(samples);
    return error;
}

/* ---- the kind ---- */

static void release(struct cell *cell)
{
    product_schedule_release(decode_cell(cell)->schedule);
    product_schedule_release(decode_cell(cell)->head_schedule);
}

/** Those tokens count whose read of the roof was kept, too. */
static size_t kept(const struct cell *cell)
{
    return decode_roof(cell).summary.n;
}

static void settle(struct cells *cells)
{
    roof_paired_choose_all(cells, &cell_kind_decode);
}

/** The schedules learn the weights of members. */
static void *owned(const struct cell *cell, size_t number, size_t *bytes)
{
    const struct decode_cell *own = decode_cell(cell);
    struct product_schedule *schedules[2] = {own->schedule, own->head_schedule};
    return number < 2 ? product_schedule_memory(schedules[number], bytes) : NULL;
}

static const struct kernel *calls(const struct cell *cell, size_t number)
{
    return decode_calls(&decode_cell(cell)->work, number);
}

/** A schedule whose shares have no known weights has no samples. */
static bool lacks_choice(const struct cell *cell)
{
    const struct decode_cell *own = decode_cell(cell);
    return product_schedule_needs_weights(own->schedule) || product_schedule_needs_weights(own->head_schedule);
}

const struct cell_kind cell_kind_decode = {
    .name = "decode",
    .own = sizeof(struct decode_cell),
    .release = release,
    .plan = decode_plan,
    .visit = visit,
    .apart = true,
    .owned = owned,
    .calls = calls,
    .kept = kept,
    .settle = settle,
    .rank = 90,
    .value = decode_value,
    .cost = decode_cost,
    .record = decode_record,
    .describe = decode_describe,
    .restore = decode_restore,
    .describe_samples = decode_describe_samples,
    .restore_samples = decode_restore_samples,
    .plausible = decode_plausible,
    .lacks_choice = lacks_choice,
};
