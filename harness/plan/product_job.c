/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/product_job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/cell/rounds.h"
#include "harness/cells/cell/summary.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cells/repack/repack.h"
#include "harness/cells/sync/sync.h"
#include "harness/measure/session_level.h"
#include "harness/plan/protocol.h"
#include "harness/user/plugin_try.h"
#include "platforms/clock/clock.h"
#include "results/statistics/best_of.h"
#include "results/text/refuse.h"

/* ---- what can be measured ---- */

void product_job_free(struct product_job *job)
{
    if (job) {
        free(job->pairs);
        free(job->tried);
    }
    free(job);
}

static struct product_pair pair_of(const struct kernel *kernel, const struct shape *shape, bool shape_named)
{
    bool fits = kernel_accepts(kernel, shape->m, shape->k, NULL, 0) == 0;
    return (struct product_pair){.kernel = kernel,
                                 .shape = shape,
                                 .state = fits ? PAIR_MEASURED : PAIR_DOES_NOT_FIT,
                                 .shape_named = shape_named,
                                 .packed_bytes = fits ? format_packed_bytes(kernel->format, shape->m, shape->k) : 0};
}

int product_job_pair(struct product_job *job, char *why, size_t size)
{
    size_t fitting = 0, pairs = job->kernel_count * job->shape_count;
    free(job->pairs);
    job->pair_count = 0;
    job->pairs = calloc(pairs + 1, sizeof *job->pairs);
    if (!job->pairs)
        return refuse(-ENOMEM, why, size, "no memory");
    for (; job->pair_count < pairs; job->pair_count++) {
        size_t s = job->pair_count % job->shape_count;
        const struct product_pair pair =
            pair_of(job->kernels[job->pair_count / job->shape_count], &job->shapes[s], s < job->shapes_named);
        char refusal[160];
        fitting += pair.state == PAIR_MEASURED;
        bool needed = (job->kernels_named && pair.shape_named) || (!fitting && job->pair_count + 1 == pairs);
        if (needed && product_pair_is_left_out(&pair, refusal, sizeof refusal))
            return refuse(-EINVAL, why, size, "--shape %zux%zu: %s", pair.shape->m, pair.shape->k, refusal);
        job->pairs[job->pair_count] = pair;
    }
    return 0;
}

static size_t most_tokens(const struct product_job *job)
{
    size_t most = PRODUCT_GEMV;
    for (size_t i = 0; i < job->token_count; i++)
        most = job->tokens[i] > most ? job->tokens[i] : most;
    return most;
}

static bool fits(const struct product_job *job, const struct session *session, const struct product_pair *pair,
                 unsigned threads, bool shares_tokens, char *why, size_t size)
{
    const struct kernel *kernel = pair->kernel;
    const struct product_work work = {
        .kernel = kernel,
        .m = pair->shape->m,
        .k = pair->shape->k,
        .tokens = kernel->gemm.run ? most_tokens(job) : PRODUCT_GEMV,
        .threads = threads,
        .cold = job->cold,
        .shares_tokens = shares_tokens && kernel->gemm.run && threads > 1,
    };
    return product_fits(session, &work, why, size) == 0;
}

int product_job_check_memory(struct product_job *job, const struct session *session, bool shares_tokens, char *why,
                             size_t size)
{
    bool any = false;
    for (struct product_pair *pair = job->pairs; pair < job->pairs + job->pair_count; pair++) {
        for (size_t i = 0; i < job->teams && pair->state == PAIR_MEASURED; i++) {
            if (!fits(job, session, pair, job->sizes[i], shares_tokens, why, size))
                pair->state = PAIR_TOO_LARGE;
        }
        if (pair->state == PAIR_TOO_LARGE && pair->shape_named)
            return -ENOMEM;
        any = any || pair->state != PAIR_TOO_LARGE;
    }
    return any ? 0 : -ENOMEM;
}

int product_job_add(const struct product_job *job, const struct session *session, struct cells *cells,
                    const struct kernel *kernel, const struct shape *shape, size_t tokens)
{
    int error = 0;
    if (!plan_schedules_any(&job->schedules))
        return product_add_teams(cells, kernel, shape, tokens, job->sizes, job->teams, job->cold, job->warm);
    for (unsigned warm = 0; !error && warm < 2; warm++) {
        for (size_t t = 0; !error && t < job->teams && (warm ? job->warm : job->cold); t++)
            error = plan_schedules_add(&job->schedules, session, cells, kernel, shape, tokens, job->sizes[t], !warm);
    }
    return error;
}

bool product_pair_is_left_out(const struct product_pair *pair, char *why, size_t size)
{
    if (pair->state == PAIR_TOO_LARGE)
        snprintf(why, size, "one such matrix is larger than the memory that may be used");
    else if (pair->state == PAIR_DOES_NOT_FIT)
        kernel_accepts(pair->kernel, pair->shape->m, pair->shape->k, why, size);
    return pair->state != PAIR_MEASURED;
}

static bool is_withheld(const struct kernel *kernel)
{
    return kernel_find(kernel->name) != kernel;
}

static void drop_withheld(struct product_job *job)
{
    size_t kernels = 0, pairs = 0;
    for (size_t k = 0; k < job->kernel_count; k++) {
        if (!is_withheld(job->kernels[k]))
            job->kernels[kernels++] = job->kernels[k];
    }
    for (size_t i = 0; i < job->pair_count; i++) {
        if (!is_withheld(job->pairs[i].kernel))
            job->pairs[pairs++] = job->pairs[i];
    }
    job->kernel_count = kernels;
    job->pair_count = pairs;
}

static bool is_wanted(const void *context, const struct kernel *kernel, const struct shape *shape)
{
    const struct product_job *job = context;
    for (size_t i = 0; i < job->pair_count; i++) {
        if (job->pairs[i].kernel == kernel && job->pairs[i].shape == shape)
            return job->pairs[i].state != PAIR_DOES_NOT_FIT;
    }
    return false;
}

struct tries {
    struct product_job *job;
    const struct shape *shape;
};

/** Without memory it is not known how long it took. */
static void note_try(void *given, const struct kernel *kernel, size_t tokens, unsigned threads, double call_s)
{
    const struct tries *tries = given;
    struct product_job *job = tries->job;
    struct product_tried *more = realloc(job->tried, (job->tried_count + 1) * sizeof *more);
    if (!more)
        return;
    job->tried = more;
    more[job->tried_count++] = (struct product_tried){
        {.kernel = kernel, .m = tries->shape->m, .k = tries->shape->k, .tokens = tokens, .threads = threads}, call_s};
}

int product_job_try(struct product_job *job, struct session *session, char *why, size_t size)
{
    static const size_t a_gemv = 0;
    struct tries tries = {.job = job};
    struct plugin_trials trials = {.sizes = job->sizes,
                                   .teams = job->teams,
                                   .tokens = job->token_count ? job->tokens : &a_gemv,
                                   .token_count = job->token_count ? job->token_count : 1,
                                   .tried = note_try,
                                   .given = &tries};
    int error = 0;
    for (size_t s = 0; !error && s < job->shape_count; s++) {
        trials.shape = tries.shape = &job->shapes[s];
        error = plugin_try_all(session, &trials, is_wanted, job, why, size);
    }
    drop_withheld(job);
    return error;
}

/* ---- measuring ---- */

/** Beside the products: few samples, until they are enough for a number, and gamma for the best of its accumulators. */
/** Seconds that a roof takes which is searched for, and one that is known and read again. */
static const double FIRST_ROOF_S = 4, ROOF_S = 0.15;

static const struct effort beside = {
    .rounds = 2, .samples = 10, .settled = BEST_OF_KEPT_LEAST, .patience_s = 15, .once = true};

int product_job_add_barriers(const struct product_job *job, struct cells *cells)
{
    int error = 0;
    for (size_t t = 0; !error && t < job->teams; t++) {
        if (job->sizes[t] > 1)
            error = sync_add(cells, job->sizes[t]);
    }
    return error;
}

/** @return 1 if it was added, 0 if not, or -ENOMEM */
static int add_repacking(const struct session *session, struct cells *cells, const struct format *format,
                         const struct shape *shape, unsigned threads)
{
    char why[SESSION_WHY];
    const size_t before = cells->count;
    int error = repack_add(cells, format, shape, threads);
    if (error || cells->count == before)
        return error;
    if (!repack_fits(session, &cells->cell[before], why, sizeof why))
        return 1;
    cell_release(&cells->cell[before]);
    cells->count = before;
    return 0;
}

static bool has_repacking(const struct cells *cells, const struct format *format)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct repack_cell *own = repack_cell(&cells->cell[i]);
        if (own && own->order->format == format)
            return true;
    }
    return false;
}

int product_job_add_repacking(const struct product_job *job, const struct session *session, struct cells *cells)
{
    const unsigned one = job->sizes[0], widest = job->sizes[job->teams - 1];
    int added = 0;
    for (size_t k = 0; added >= 0 && job->cold && k < job->kernel_count; k++) {
        const struct format *format = job->kernels[k]->format;
        added = has_repacking(cells, format);
        for (size_t s = 0; !added && s < job->shape_count; s++) {
            added = add_repacking(session, cells, format, &job->shapes[s], widest);
            if (added == 1 && one < widest && add_repacking(session, cells, format, &job->shapes[s], one) < 0)
                added = -ENOMEM;
        }
    }
    return added < 0 ? added : 0;
}

static bool has_team(const struct product_job *job, unsigned threads)
{
    for (size_t t = 0; t < job->teams; t++) {
        if (job->sizes[t] == threads)
            return true;
    }
    return false;
}

/** Whether a warm product of the job reads this level. */
static bool reads_warm(const struct product_job *job, const struct session *session, const char *level)
{
    for (size_t i = 0; job->warm && i < job->pair_count * job->teams; i++) {
        const struct product_pair *pair = &job->pairs[i / job->teams];
        unsigned threads = job->sizes[i % job->teams];
        if (pair->state != PAIR_DOES_NOT_FIT &&
            strcmp(session_level_of(session, pair->packed_bytes / threads, threads), level) == 0)
            return true;
    }
    return false;
}

/** Roofs of a level: of each team, and of one core, which says what one core can read. */
static unsigned roofs_of(const struct product_job *job)
{
    return (unsigned)job->teams + !has_team(job, 1);
}

static int measure_roofs_of(const struct product_job *job, struct session *session, struct cells *cells,
                            const char *level, const struct execution *execution, size_t *failed)
{
    const unsigned all = roofs_of(job), alone = !has_team(job, 1);
    int error = 0;
    for (unsigned i = 0; !error && i < all; i++) {
        struct execution_span span;
        const struct execution part = execution_spanning(&span, execution, (double)i / all, (double)(i + 1) / all);
        unsigned threads = i < alone ? 1 : job->sizes[i - alone];
        /* what is warm reads no pool; four times the stated caches will do for the roof and the calibrations beside it */
        error = job->cold ? protocol_roof(session, cells, level, threads, &part, failed)
                          : beta_find_roof(session, cells, level, threads, &part, failed);
    }
    return error;
}

static bool has_roofs(const struct product_job *job, const struct session *session, const char *level)
{
    return strcmp(level, "memory") == 0 ||
           (!job->beside_peers && session_has_level(session, level) && reads_warm(job, session, level));
}

static unsigned levels_of(const struct product_job *job, const struct session *session)
{
    unsigned count = 0;
    for (size_t l = 0; l < SESSION_LEVELS; l++)
        count += has_roofs(job, session, session_levels[l]);
    return count;
}

/** Memory first. */
static int measure_roofs(const struct product_job *job, struct session *session, struct cells *cells,
                         const struct execution *execution, size_t *failed)
{
    const unsigned all = levels_of(job, session);
    unsigned done = 1;
    struct execution_span span;
    struct execution part = execution_spanning(&span, execution, 0, 1.0 / all);
    int error = measure_roofs_of(job, session, cells, "memory", &part, failed);
    for (size_t l = 0; !error && l < SESSION_LEVELS; l++) {
        if (strcmp(session_levels[l], "memory") == 0 || !has_roofs(job, session, session_levels[l]))
            continue;
        part = execution_spanning(&span, execution, (double)done / all, (double)(done + 1) / all);
        error = measure_roofs_of(job, session, cells, session_levels[l], &part, failed);
        done++;
    }
    return error;
}

double product_job_beside_seconds(const struct product_job *job, const struct session *session,
                                  const struct cells *cells, size_t first)
{
    return FIRST_ROOF_S * roofs_of(job) * levels_of(job, session) +
           protocol_seconds(session, cells, first, cells->count, &beside);
}

double product_job_rounds_seconds(const struct product_job *job, const struct session *session,
                                  const struct cells *cells, size_t first, size_t end, const struct effort *effort)
{
    const double roofs = job->beside_peers ? 0 : roofs_of(job);
    return 2 * ROOF_S * roofs * effort->rounds + protocol_seconds(session, cells, first, end, effort);
}

int product_job_measure_beside(const struct product_job *job, struct session *session, struct cells *cells,
                               size_t first, const struct execution *execution, size_t *failed)
{
    double roofs_s = FIRST_ROOF_S * roofs_of(job) * levels_of(job, session),
           all_s = product_job_beside_seconds(job, session, cells, first);
    struct execution_span spans[2];
    const struct execution cells_part = execution_spanning(&spans[0], execution, 0, 1 - roofs_s / all_s),
                           roofs = execution_spanning(&spans[1], execution, 1 - roofs_s / all_s, 1);
    int error = protocol_measure(session, cells, first, cells->count, &beside, &cells_part, failed);
    return error ? error : measure_roofs(job, session, cells, &roofs, failed);
}

struct effort product_job_effort(unsigned samples, unsigned visits, double patience_s)
{
    /* few asked for: still on, until there are enough for a number; else until there are enough to compete */
    const size_t half = (samples + 1) / 2, settled = samples < BEST_OF_KEPT_LEAST ? STATS_KEPT_LEAST
                                                     : half > BEST_OF_KEPT_LEAST  ? half
                                                                                  : BEST_OF_KEPT_LEAST;
    return protocol_effort(samples, visits, settled, patience_s);
}

/** The interval of a median is as narrow as anybody asks, and there are enough samples to compete: more would say the same. */
static bool is_certain(const struct cell *cell)
{
    static const double HALF_WIDTH = 0.01;
    const struct summary time = summary_time(cell).summary;
    return time.n >= BEST_OF_KEPT_LEAST && time.ci95[1] - time.ci95[0] <= 2 * HALF_WIDTH * time.median;
}

/** Until all have as many samples as a number rests on; those whose interval is wide go on until they have all. */
static int settle(struct session *session, struct cells *cells, size_t first, size_t end, const struct effort *effort,
                  const struct execution *execution, size_t *failed)
{
    double begin_s = clock_monotonic_s();
    int error = cells_settle(session, cells, first, end, STATS_KEPT_LEAST, effort->patience_s, execution, failed);
    double left_s = effort->patience_s - (clock_monotonic_s() - begin_s);
    if (error || effort->settled <= STATS_KEPT_LEAST || left_s <= 0)
        return error;
    for (size_t i = first; i < end; i++)
        cells->cell[i].suspended |= is_certain(&cells->cell[i]);
    error = cells_settle(session, cells, first, end, effort->settled, left_s, execution, failed);
    for (size_t i = first; i < end; i++)
        cells->cell[i].suspended = false;
    return error;
}

int product_job_measure_rounds(const struct product_job *job, struct session *session, struct cells *cells,
                               size_t first, size_t end, const struct effort *effort, const struct execution *execution,
                               size_t *failed)
{
    static const double ROUNDS = 0.95; /* settling mostly takes little */
    double all_s = product_job_rounds_seconds(job, session, cells, first, end, effort);
    const bool held = !job->beside_peers;                              /* peers are held against each other alone */
    double roofs = held ? ROUNDS * ROOF_S * roofs_of(job) / all_s : 0; /* before, and after, each round */
    struct execution_span span;
    int error = 0;
    for (unsigned round = 0; !error && round < effort->rounds; round++) {
        double begin = ROUNDS * round / effort->rounds, end_of = ROUNDS * (round + 1) / effort->rounds;
        struct execution part = execution_spanning(&span, execution, begin, begin + roofs);
        error = held ? measure_roofs_of(job, session, cells, "memory", &part, failed) : 0;
        part = execution_spanning(&span, execution, begin + roofs, end_of - roofs);
        if (!error)
            error = cells_visit(session, cells, first, end, 1, effort->samples, &part, failed);
        part = execution_spanning(&span, execution, end_of - roofs, end_of);
        if (!error && held)
            error = measure_roofs_of(job, session, cells, "memory", &part, failed);
    }
    const struct execution settling = execution_spanning(&span, execution, ROUNDS, 1);
    return error || !held ? error : settle(session, cells, first, end, effort, &settling, failed);
}
