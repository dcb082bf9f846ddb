/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/product/product_work.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/summary.h"
#include "harness/cells/product/main_kernels.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cells/product/product_watch.h"
#include "harness/cells/product/team_balance.h"
#include "harness/measure/session_pool.h"
#include "platforms/clock/clock.h"
#include "results/statistics/stats.h"

/** Generations of the calls: of the one that is verified, and from which on warm-up calls are numbered. */
static const unsigned VERIFIED = 0xffffffffu, WARM_UP = 0x80000000u;

struct visit {
    struct session *session;
    struct cell *cell;
    struct product_work work; /* that of the cell */
    struct gemv gemv;         /* or */
    struct gemm gemm;
    struct shared_product product;
    struct product_schedule *schedule;
    struct weights_visit weights;
    bool sampled;                /* else it is only tried */
    unsigned last_sample;        /* reads of the roof counted */
    unsigned unseen;             /* timed calls in samples of many */
    struct product_watch *watch; /* of a kernel of a plug-in; else NULL */
    double call_s;               /* what the call that was verified took */
    size_t distances[PRODUCT_DISTANCES],
        distance_count;          /* of the prefetch, which samples take in turns; 0: they do not */
    struct contended *contended; /* NULL: a sample's time is that from the first start to the last end */
    int error[SESSION_CPUS_MAX]; /* of each member */
};

/** Where a member goes on when it has done its share: at another cold place, or with the same weights. */
static void choose_more(struct visit *visit, unsigned member, unsigned sample)
{
    const uint8_t **more = &visit->contended->members[member].more;
    size_t bytes = shared_bytes(&visit->product, member);
    if (!visit->cell->cold)
        *more = weights_first(&visit->weights, member);
    else if (!weights_is_roof(visit->cell, sample))
        *more = weights_place(&visit->weights, member, sample, bytes);
}

/**
 * Whether the results of a timed call have to be those of another call: not if rows of it are of other weights, as choose_more() says,
 * nor if the pieces of a tail were drawn, since that may change how sums of floats are rounded.
 */
static bool is_repeatable(const struct visit *visit)
{
    return !visit->contended &&
           (visit->cell->kernel->gives == KERNEL_GIVES_INT32 || !shared_tail(&visit->product).pieces);
}

/** What a sample computed, if it was of the product and is watched. */
static void look_at(struct visit *visit, unsigned member, unsigned sample)
{
    if (visit->watch && !weights_is_roof(visit->cell, sample) && is_repeatable(visit))
        product_watch_sample(visit->watch, member, visit->cell->cold ? sample / 2 : sample);
}

static void look_at_last(void *context, unsigned member)
{
    struct visit *visit = context;
    look_at(visit, member, visit->last_sample);
}

static void choose_place(void *context, unsigned member, unsigned sample)
{
    struct visit *visit = context;
    if (sample > 0)
        look_at(visit, member, sample - 1);
    if (visit->distance_count)
        visit->gemv.prefetch_bytes =
            visit->distances[(visit->cell->cold ? sample / 2 : sample) % visit->distance_count];
    if (visit->cell->cold) {
        const uint8_t *weights = weights_place(&visit->weights, member, sample, shared_bytes(&visit->product, member));
        if (weights)
            shared_place(&visit->product, member, weights);
    } else if (visit->product.gemv) { /* so short that each warm sample has a call of its own before it */
        shared_run(&visit->product, member, sample + WARM_UP);
    }
    if (visit->contended)
        choose_more(visit, member, sample);
}

static void run(void *context, unsigned member, unsigned sample)
{
    struct visit *visit = context;
    const struct cell *cell = visit->cell;
    if (weights_is_roof(cell, sample)) {
        weights_read_roof(&visit->weights, member);
        return;
    }
    for (unsigned i = 0; i < cell->repeats; i++) {
        unsigned generation = 1 + sample * cell->repeats + i;
        if (visit->contended)
            contended_run(visit->contended, &visit->product, member, sample, generation);
        else
            shared_run(&visit->product, member, generation);
        team_barrier(visit->session->team);
    }
}

static void touch(void *context, unsigned member)
{
    struct visit *visit = context;
    visit->error[member] = shared_touch(&visit->product, member);
}

/** Each member's own memory. 0 or -ENOMEM */
static int touch_all(struct visit *visit)
{
    int error = 0;
    if (!visit->product.gemm)
        return 0;
    team_run(visit->session->team, touch, visit);
    for (unsigned t = 0; !error && t < visit->cell->threads; t++)
        error = visit->error[t];
    return error;
}

/** Verification: one product at the place where each member is. */
static void run_once(void *context, unsigned member)
{
    struct visit *visit = context;
    if (visit->watch && visit->cell->cold)
        weights_meet_roof(&visit->weights, member);
    if (visit->watch)
        product_watch_call(visit->watch, member, VERIFIED);
    else
        shared_run(&visit->product, member, VERIFIED);
    team_barrier(visit->session->team);
}

/** With the reference, at the places where members are. 0, -EILSEQ or -ENOMEM */
static int compare(struct visit *visit)
{
    struct cell *cell = visit->cell;
    struct reference_check check;
    int error = shared_verify(&visit->product, session_random(visit->session), &check);
    if (error)
        return error;
    /* of all visits: exact if each was, the worst error */
    cell->exact = reference_is_exact(&check) && (cell->exact || !cell->verified);
    cell->error = reference_error(&check) > cell->error ? reference_error(&check) : cell->error;
    cell->verified = true;
    char what[160];
    product_work_name(&visit->work, what, sizeof what);
    if (check.wrong)
        snprintf(cell->why, sizeof cell->why, "%s differs from the scalar reference in %zu of %zu %s", what,
                 check.wrong, check.rows, visit->product.gemm ? "results" : "rows");
    return check.wrong ? -EILSEQ : 0;
}

static int verify(struct visit *visit)
{
    struct cell *cell = visit->cell;
    for (unsigned t = 0; t < cell->threads; t++)
        shared_place(&visit->product, t, weights_first(&visit->weights, t));
    int error = touch_all(visit);
    if (error)
        return error;
    if (visit->watch)
        error = product_watch_begin(visit->watch, visit->session, &visit->product);
    if (error)
        return error;
    worker_beat(visit->session->instruments.heart);
    double begin_s = clock_monotonic_s();
    team_run(visit->session->team, run_once, visit);
    visit->call_s = clock_monotonic_s() - begin_s;
    worker_beat(visit->session->instruments.heart);
    return compare(visit);
}

static int begin_weights(struct visit *visit)
{
    const struct weights_read read = product_work_read(&visit->work);
    return weights_begin(&visit->weights, visit->session, visit->cell, &read, visit->product.k);
}

/**
 * Shares by what each member is seen to do, each visit anew, since the machine and its neighbours change. On a machine that is
 * too busy to tell, they stay what they were.
 */
static int weigh(struct visit *visit)
{
    struct product_schedule *schedule = visit->schedule;
    bool weighed = schedule->weighed;
    size_t n = schedule->weights_n;
    int error = touch_all(visit);
    if (!error)
        error = team_balance_measure(visit->session, visit->cell, schedule, &visit->product, visit->weights.granule);
    if (error == -ENODATA && weighed) {
        schedule->weighed = true;
        schedule->weights_n = n;
        visit->cell->why[0] = '\0';
        error = 0;
    }
    return error ? error : begin_weights(visit);
}

/** Shares as the schedule says; the pool then holds the largest of them. */
static int share(struct visit *visit)
{
    struct cell *cell = visit->cell;
    struct product_schedule *schedule = visit->schedule;
    for (unsigned t = 0; schedule && t < cell->threads; t++)
        shared_emulate_speed(&visit->product, t, schedule->speed[t]);
    int error = begin_weights(visit);
    if (!error && product_schedule_measures_weights(schedule))
        error = weigh(visit);
    const struct schedule shares = product_schedule_of(schedule);
    if (!error && schedule)
        error = shared_set_schedule(&visit->product, &shares);
    if (!error && schedule)
        schedule->tail = shared_tail(&visit->product);
    return error;
}

/** The kernel leaves vector registers in use: they are released after each of its calls, and a line says so. */
static void note_vectors(struct visit *visit)
{
    product_watch_keep(visit->watch);
    visit->cell->releases_vectors = product_watch_vectors(visit->watch);
    if (visit->cell->releases_vectors)
        shared_release_vectors(&visit->product);
}

/** The product of a cell, not shared yet. */
static int prepare(struct visit *visit)
{
    struct cell *cell = visit->cell;
    const struct product_work *work = &visit->work;
    int error = product_fits(visit->session, work, cell->why, sizeof cell->why);
    if (!error)
        error = shared_prepare(&visit->product, work, &product_cell(cell)->settings, session_random(visit->session));
    if (!cell->repeats)
        cell->repeats = shared_repeats(work, product_work_read(work).share);
    return error;
}

/** What the visit found out: copies in the pool, memory that the product took. */
static void keep(const struct visit *visit)
{
    struct product_cell *own = product_cell(visit->cell);
    own->copies = visit->weights.copies;
    own->one_layer = visit->weights.one_layer;
    own->scratch_bytes = shared_scratch_bytes(&visit->product);
}

/** A product whose result was right, with its team. */
static int begin(struct visit *visit)
{
    int error = prepare(visit);
    if (error)
        return error;
    error = share(visit);
    keep(visit);
    if (!error)
        error = verify(visit);
    if (!error && visit->watch)
        note_vectors(visit);
    return error;
}

/** Calls after the samples, or where there are none: what was right once may not stay so. */
static int watch_again(struct visit *visit)
{
    char text[160];
    struct cell *cell = visit->cell;
    int error = cell->cold && visit->sampled ? compare(visit) : 0; /* what the last sample computed */
    for (unsigned t = 0; t < cell->threads; t++)
        shared_place(&visit->product, t, weights_first(&visit->weights, t));
    if (!error)
        error = product_watch_again(visit->watch, visit->call_s, visit->unseen, text, sizeof text);
    if (error == -EILSEQ && !cell->why[0])
        snprintf(cell->why, sizeof cell->why, "%s %s", cell->kernel->name, text);
    return error;
}

/** Who drew how much of the tail, in all calls of this visit, its check included. */
static void count_pieces(struct visit *visit)
{
    struct product_schedule *schedule = visit->schedule;
    for (unsigned t = 0; schedule && t < schedule->members; t++)
        schedule->pieces[t] += shared_pieces(&visit->product, t);
}

/** Of products alone: of a cold cell every other sample is a read of the roof, and calls that warm a warm one up are products, too. */
static int take_energy(struct visit *visit, const struct sampler_work *work, unsigned count)
{
    struct sampler_work product = *work;
    struct cell *cell = visit->cell;
    if (!cell->cold)
        product.before = NULL;
    return energy_take(visit->session, cell, &product, cell->cold ? 2 * count + 1 : count, cell->cold ? 2 : 1);
}

/** At the results of so many samples. */
static void begin_looking(struct visit *visit, unsigned count)
{
    const struct cell *cell = visit->cell;
    if (!visit->watch)
        return;
    visit->last_sample = (cell->cold ? 2 * count : count) - 1;
    visit->unseen = cell->repeats > 1 ? count * cell->repeats : 0;
    product_watch_samples(visit->watch, count, cell->cold, visit->call_s);
}

static int take(struct visit *visit, unsigned count)
{
    struct cell *cell = visit->cell;
    const struct sampler_work work = {
        .context = visit, .first_member = cell->member, .region = cell->name, .before = choose_place, .run = run};
    bool contended = visit->schedule && visit->schedule->contended;
    if (contended)
        visit->contended = contended_open(cell->threads, cell->cold ? 2 * count : count);
    begin_looking(visit, count);
    int error = contended && !visit->contended ? -ENOMEM : weights_take(&visit->weights, &work, count);
    if (!error && visit->watch)
        team_run(visit->session->team, look_at_last, visit);
    if (!error && !contended)
        error = take_energy(visit, &work, count);
    if (!error && contended)
        contended_settle(visit->contended, &visit->product, cell, count, visit->session->instruments.tsc_hz);
    contended_close(visit->contended);
    count_pieces(visit);
    return error;
}

/* ---- the prefetch distance that suits this machine ---- */

/** Of the samples of each distance how many have to be kept; they are taken this many times at most until that many are. */
enum { DISTANCE_KEPT_LEAST = 3, DISTANCE_TAKES = 4 };

static void set_distance(struct cell *cell, size_t bytes)
{
    product_cell(cell)->settings.self_tuned = true;
    product_cell(cell)->settings.prefetch_bytes = bytes;
}

/** Whether the distance of a cell may be chosen: all of its samples have the same one. */
static bool is_open(const struct cell *cell)
{
    return !product_cell(cell)->settings.self_tuned && !cell->samples.count;
}

/** What another cell has found. */
static void take_distance(const struct session *session, struct cell *cell)
{
    const struct session_distance *known = session_distance_of(session, cell->kernel, cell->threads);
    if (known && is_open(cell) && product_is_tuned_here(session, cell))
        set_distance(cell, known->bytes);
}

/** Median of those samples of a trial that had a distance; NaN if few of them were kept. */
static double distance_median(const struct cell *trial, size_t distance, size_t distances)
{
    double kept[DISTANCE_TAKES * PRODUCT_DISTANCE_SAMPLES];
    size_t n = 0;
    for (size_t i = distance; i < trial->samples.count; i += distances) {
        enum sample_grade grade;
        n += summary_time_of(trial, i, &kept[n], &grade) ? 1 : 0;
    }
    return n < DISTANCE_KEPT_LEAST ? (double)NAN : stats_median(kept, n);
}

/** @return whether all are known */
static bool distance_medians(const struct cell *trial, size_t distances, double *median_s)
{
    bool known = true;
    for (size_t i = 0; i < distances; i++) {
        median_s[i] = distance_median(trial, i, distances);
        known &= isfinite(median_s[i]);
    }
    return known;
}

/** By turns, so that what the neighbours do is the same for all; of what is sampled nothing is kept. */
static int search_distance(struct visit *visit)
{
    const struct sampler_work work = {.context = visit,
                                      .first_member = visit->cell->member,
                                      .region = visit->cell->name,
                                      .before = choose_place,
                                      .run = run};
    double median_s[PRODUCT_DISTANCES];
    struct cell trial = *visit->cell;
    trial.samples = trial.roof = (struct samples){0};
    visit->distance_count = product_distances(trial.kernel, false, visit->distances);
    visit->weights.cell = &trial;
    int error = 0;
    bool lacking = true;
    for (int i = 0; !error && lacking && i < DISTANCE_TAKES; i++) {
        error = weights_take(&visit->weights, &work, (unsigned)visit->distance_count * PRODUCT_DISTANCE_SAMPLES);
        lacking = !distance_medians(&trial, visit->distance_count, median_s);
    }
    visit->weights.cell = visit->cell;
    const size_t bytes = visit->distances[product_distance_choose(median_s, visit->distance_count)];
    visit->distance_count = 0;
    free(trial.samples.sample);
    free(trial.roof.sample);
    visit->gemv.prefetch_bytes = trial.kernel->prefetch_bytes;
    if (error || !isfinite(median_s[0])) /* a busy machine: a later cell tries again */
        return error;
    visit->gemv.prefetch_bytes = bytes;
    set_distance(visit->cell, bytes);
    return visit->session->tunes == SESSION_TUNES_CELLS
               ? 0
               : session_keep_distance(visit->session, trial.kernel, trial.threads, bytes);
}

/** Where a cell is the first that can say it. */
static int settle_distance(struct visit *visit)
{
    return is_open(visit->cell) && product_says_distance(visit->session, visit->cell) ? search_distance(visit) : 0;
}

/** Begin, settle the distance if it is open, take this many samples (0: none), and release. call_s: what the verified call took; may be NULL. */
static int carry_out(struct session *session, struct cell *cell, unsigned count, bool settles, double *call_s)
{
    const struct product_work work = product_work_of(cell);
    struct visit *visit = calloc(1, sizeof *visit);
    int error = visit ? 0 : -ENOMEM;
    take_distance(session, cell);
    if (!error) {
        *visit =
            (struct visit){.session = session,
                           .cell = cell,
                           .work = work,
                           .product = {work.tokens ? NULL : &visit->gemv, work.tokens ? &visit->gemm : NULL, work.k},
                           .schedule = product_cell(cell)->schedule,
                           .sampled = count > 0};
        bool watched = plugins_of_kernel(&session->plugins, cell->kernel);
        visit->watch = watched ? calloc(1, sizeof *visit->watch) : NULL;
        error = watched && !visit->watch ? -ENOMEM : begin(visit);
    }
    if (!error && call_s)
        *call_s = visit->call_s;
    if (!error && settles)
        error = settle_distance(visit);
    if (!error && count)
        error = take(visit, count);
    if (!error && visit->watch)
        error = watch_again(visit);
    if (visit && visit->watch)
        product_watch_end(visit->watch);
    if (visit) {
        free(visit->watch);
        shared_release(&visit->product);
    }
    free(visit);
    return error;
}

int product_visit(struct session *session, struct cell *cell, unsigned count)
{
    char what[160];
    int error = weights_need_roof(session, cell);
    if (!error)
        error = carry_out(session, cell, count, count > 0, NULL);
    const struct product_work work = product_work_of(cell);
    product_work_name(&work, what, sizeof what);
    if (error == -ENOMEM && !cell->why[0])
        session_no_memory(what, cell->why, sizeof cell->why);
    return error;
}

int product_ready(struct session *session, struct cell *cell)
{
    const struct product_work work = product_work_of(cell);
    const struct weights_read read = product_work_read(&work);
    const struct format *format = cell->kernel->format;
    /* the process that carries the visit out writes no page of this pool */
    const struct session_pool_need need = {cell->cold ? SIZE_MAX : read.share, cell->cold};
    int error = weights_need_roof(session, cell);
    if (!error)
        error = session_pool(session, cell->threads, weights_pool_bytes(session, &read), cell->why, sizeof cell->why);
    if (!error && plugins_of_format(&session->plugins, format))
        return session_pool_fill_apart(session, cell->threads, format, work.k, need, NULL, cell->why, sizeof cell->why);
    if (!error && !session_pool_fill(session, cell->threads, format, work.k, need))
        error = -EINVAL;
    return error;
}

int product_try(struct session *session, const struct product_work *work, double *call_s, char *why, size_t size)
{
    const struct shape shape = {.m = work->m, .k = work->k};
    struct cells one = {0};
    int error = product_add(&one, work->kernel, &shape, work->tokens, work->threads, work->cold);
    if (!error)
        error = carry_out(session, &one.cell[0], 0, false, call_s);
    snprintf(why, size, "%s", one.count && one.cell[0].why[0] ? one.cell[0].why : error ? strerror(-error) : "");
    cells_release(&one);
    return error;
}

void product_find_distance(struct session *session, const struct kernel *kernel, unsigned threads)
{
    const struct shape shape = {.m = PRODUCT_REFERENCE_SIDE, .k = PRODUCT_REFERENCE_SIDE};
    struct cells one = {0};
    struct cell *cell = NULL;
    bool open = !session_distance_of(session, kernel, threads) && !kernel_accepts(kernel, shape.m, shape.k, NULL, 0);
    if (open && product_add(&one, kernel, &shape, PRODUCT_GEMV, threads, true) == 0)
        cell = &one.cell[0];
    if (cell && product_is_tuned_here(session, cell) && weights_need_roof(session, cell) == 0 &&
        carry_out(session, cell, 0, true, NULL) == 0 && product_cell(cell)->settings.self_tuned)
        session_keep_distance(session, kernel, threads, product_cell(cell)->settings.prefetch_bytes);
    cells_release(&one);
}
