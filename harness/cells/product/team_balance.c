/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/product/team_balance.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/measure/session_pool.h"
#include "platforms/clock/clock.h"
#include "results/statistics/stats.h"

/**
 * Samples of a look; looks until shares stand still, fewer where they begin with what was seen before; and times that a look is
 * repeated for lack of kept samples.
 */
enum { SAMPLES = 15, LOOKS = 5, LOOKS_AGAIN = 2, TRIES = 40 };

/** A share that moves by less is what it was; of looks whose shares moved by more, only the last counts. */
static const double still = 0.01, near = 0.1;

/** One look: how long each member was at work in each sample. */
struct look {
    struct session *session;
    struct cell *cell;
    struct product_schedule *schedule;
    const struct shared_product *product;
    size_t granule;
    unsigned generation;
    uint64_t *ticks;                   /* [members][SAMPLES * TRIES] */
    unsigned taken;                    /* samples before these */
    unsigned close;                    /* looks at shares that were near what they found */
    double log_rate[SESSION_CPUS_MAX]; /* sums over these, of rates that are 1 at most */
};

static void choose_place(void *context, unsigned member, unsigned sample)
{
    struct look *look = context;
    const struct shared_product *product = look->product;
    if (look->cell->cold)
        shared_place(product, member,
                     session_cold_weights(look->session, member, look->cell->threads, shared_bytes(product, member),
                                          look->granule));
    else
        shared_run(product, member, look->generation + 2 * sample * look->cell->repeats + 1);
}

static void run(void *context, unsigned member, unsigned sample)
{
    struct look *look = context;
    uint64_t *ticks = &look->ticks[(size_t)member * SAMPLES * TRIES + look->taken + sample];
    unsigned repeats = look->cell->repeats;
    for (unsigned i = 0; i < repeats; i++) {
        uint64_t begin = tsc_begin().ticks;
        shared_run(look->product, member, look->generation + (2 * sample + 1) * repeats + i + 1);
        *ticks += tsc_end().ticks - begin;
        team_barrier(look->session->team);
    }
}

/** Samples of one look into ticks, the rejected ones as 0. @return how many were kept, or -ENOMEM */
static int take(struct look *look)
{
    struct session *session = look->session;
    unsigned threads = look->cell->threads;
    struct sample samples[SAMPLES];
    int kept = 0;
    for (look->taken = 0; look->taken < SAMPLES * TRIES && kept < STATS_KEPT_LEAST; look->taken += SAMPLES) {
        const struct sampler_work work = {.context = look, .before = choose_place, .run = run};
        int error = sampler_take(session->team, &session->instruments, &work, samples, SAMPLES);
        if (error)
            return error;
        look->generation += 2 * SAMPLES * look->cell->repeats + 2;
        for (unsigned i = 0; i < SAMPLES; i++) {
            bool keep = samples[i].cause == SAMPLE_KEPT;
            kept += keep;
            for (unsigned t = 0; !keep && t < threads; t++)
                look->ticks[(size_t)t * SAMPLES * TRIES + look->taken + i] = 0;
        }
    }
    return kept;
}

/** Median ticks of a member over the kept samples. */
static double median_ticks(const struct look *look, unsigned member)
{
    double value[SAMPLES * TRIES];
    size_t count = 0;
    for (unsigned i = 0; i < look->taken; i++) {
        uint64_t ticks = look->ticks[(size_t)member * SAMPLES * TRIES + i];
        if (ticks)
            value[count++] = (double)ticks;
    }
    return stats_median(value, count);
}

/** The most that a weight is off what it was. */
static double moved_by(const struct product_schedule *schedule, const double *before)
{
    double moved = 0;
    for (unsigned t = 0; t < schedule->members; t++)
        moved = fmax(moved, fabs(schedule->weight[t] / before[t] - 1));
    return moved;
}

/** A single look is as noisy as the machine: the mean of all that looked at nearly the same shares. */
static void pool(struct look *look, bool anew)
{
    struct product_schedule *schedule = look->schedule;
    double rate[SESSION_CPUS_MAX];
    look->close = anew ? 1 : look->close + 1;
    for (unsigned t = 0; t < schedule->members; t++) {
        look->log_rate[t] = (anew ? 0 : look->log_rate[t]) + log(schedule->weight[t]);
        rate[t] = exp(look->log_rate[t] / look->close);
    }
    product_schedule_set_weights(schedule, rate);
}

/** What each member did in a tick becomes its weight. @return the most that a weight moved */
static double weigh(struct look *look)
{
    struct product_schedule *schedule = look->schedule;
    double rate[SESSION_CPUS_MAX], before[SESSION_CPUS_MAX];
    for (unsigned t = 0; t < schedule->members; t++) {
        double bytes = (double)shared_bytes(look->product, t);
        /* whose share was nothing, or no time: what it had, so that it is asked again */
        before[t] = schedule->weight[t];
        rate[t] = bytes > 0 ? bytes / median_ticks(look, t) : NAN;
    }
    double scale = 0;
    for (unsigned t = 0; t < schedule->members; t++)
        scale = fmax(scale, rate[t]);
    for (unsigned t = 0; t < schedule->members; t++)
        rate[t] = isfinite(rate[t]) && rate[t] > 0 ? rate[t] : before[t] * scale;
    product_schedule_set_weights(schedule, rate);
    pool(look, moved_by(schedule, before) > near);
    return moved_by(schedule, before);
}

/** Shares without a tail, of the weights so far, and room for them. */
static int share(struct look *look)
{
    struct cell *cell = look->cell;
    const struct shared_product *product = look->product;
    const struct schedule shares = {.kind = SCHEDULE_WEIGHTED, .weights = look->schedule->weight};
    int error = shared_set_schedule(product, &shares);
    size_t most = 0;
    for (unsigned t = 0; t < cell->threads; t++)
        most = shared_bytes(product, t) > most ? shared_bytes(product, t) : most;
    if (!error)
        error = session_pool(look->session, cell->threads, most, cell->why, sizeof cell->why);
    if (!error)
        look->granule = session_pool_fill(look->session, cell->threads, cell->kernel->format, product->k,
                                          (struct session_pool_need){most, cell->cold});
    if (!error && !session_team(look->session, cell->threads, cell->why, sizeof cell->why))
        error = -EINVAL;
    for (unsigned t = 0; !error && t < cell->threads; t++)
        shared_place(product, t, look->session->pool[t].bytes);
    return error;
}

int team_balance_measure(struct session *session, struct cell *cell, struct product_schedule *schedule,
                         const struct shared_product *product, size_t granule)
{
    size_t count = (size_t)cell->threads * SAMPLES * TRIES;
    struct look look = {.session = session, .cell = cell, .schedule = schedule, .product = product, .granule = granule};
    look.ticks = calloc(count, sizeof *look.ticks);
    int error = look.ticks ? 0 : -ENOMEM;
    double moved = INFINITY;
    unsigned most = schedule->weighed ? LOOKS_AGAIN : LOOKS;
    for (unsigned i = 0; !error && i < most && moved > still; i++) {
        for (size_t s = 0; s < count; s++)
            look.ticks[s] = 0;
        error = share(&look);
        int kept = error ? 0 : take(&look);
        if (kept < 0)
            error = kept;
        if (!error && kept < STATS_KEPT_LEAST) {
            snprintf(cell->why, sizeof cell->why,
                     "the weights of %s could not be measured, %d of %d samples were kept: the machine is too busy "
                     "(`kneepoint info` and `kneepoint selftest` show what disturbs); try again, or give --weights",
                     cell->name, kept, SAMPLES * TRIES);
            error = -ENODATA;
        }
        if (!error) {
            moved = weigh(&look);
            schedule->weights_n = (look.close > 1 ? schedule->weights_n : 0) + (size_t)kept;
        }
    }
    schedule->weighed = !error;
    free(look.ticks);
    return error;
}
