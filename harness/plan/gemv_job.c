/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/gemv_job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/beta.h"
#include "harness/cells/cell/rounds.h"
#include "harness/cells/gamma.h"
#include "harness/cells/gemv.h"
#include "harness/cells/gemv_model.h"
#include "harness/cells/gemv_summary.h"
#include "harness/cells/prepare.h"
#include "harness/cells/sync.h"
#include "harness/measure/session_level.h"
#include "harness/plan/protocol.h"
#include "harness/user/plugin_try.h"

/* ---- what can be measured ---- */

static bool holds(const struct kernel *kernel, const struct shape *shape)
{
    return format_accepts(kernel->format, shape->m, shape->k, NULL, 0) == 0;
}

int gemv_job_check_formats(const struct gemv_job *job, char *why, size_t size)
{
    size_t held = 0, pairs = job->kernel_count * job->shape_count;
    for (size_t i = 0; i < pairs; i++) {
        const struct shape *shape = &job->shapes[i % job->shape_count];
        const struct kernel *kernel = job->kernels[i / job->shape_count];
        char refusal[160];
        held += holds(kernel, shape);
        bool named = job->kernels_named && i % job->shape_count < job->shapes_named;
        if (format_accepts(kernel->format, shape->m, shape->k, refusal, sizeof refusal) &&
            (named || (!held && i + 1 == pairs))) {
            snprintf(why, size, "--shape %zux%zu: %s", shape->m, shape->k, refusal);
            return -EINVAL;
        }
    }
    return 0;
}

int gemv_job_check_memory(struct gemv_job *job, const struct session *session, char *why, size_t size)
{
    bool any = false;
    for (size_t k = 0; k < job->kernel_count; k++) {
        for (size_t s = 0; s < job->shape_count * job->teams; s++) {
            const struct shape *shape = &job->shapes[s / job->teams];
            struct gemv_work work = {.kernel = job->kernels[k],
                                     .m = shape->m,
                                     .k = shape->k,
                                     .threads = job->sizes[s % job->teams],
                                     .cold = job->cold};
            bool fits = !holds(work.kernel, shape) || !gemv_fits(session, &work, why, size);
            if (!fits && s / job->teams < job->shapes_named)
                return -ENOMEM;
            job->too_large[k][s / job->teams] |= !fits;
            any = any || fits;
        }
    }
    return any ? 0 : -ENOMEM;
}

bool gemv_job_leaves_out(const struct gemv_job *job, size_t k, size_t s, char *why, size_t size)
{
    if (job->too_large[k][s])
        snprintf(why, size, "one such matrix is larger than the memory that may be used");
    return job->too_large[k][s] ||
           format_accepts(job->kernels[k]->format, job->shapes[s].m, job->shapes[s].k, why, size) != 0;
}

static bool is_wanted(const void *context, const struct kernel *kernel, const struct shape *shape)
{
    const struct gemv_job *job = context;
    for (size_t k = 0; k < job->kernel_count; k++) {
        if (job->kernels[k] == kernel)
            return holds(kernel, shape);
    }
    return false;
}

int gemv_job_try(struct gemv_job *job, struct session *session, char *why, size_t size)
{
    int error = 0;
    for (size_t s = 0; !error && s < job->shape_count; s++)
        error = plugin_try_all(session, &job->shapes[s], job->sizes, job->teams, is_wanted, job, why, size);
    size_t kept = 0;
    for (size_t k = 0; k < job->kernel_count; k++) {
        if (kernel_find(job->kernels[k]->name) != job->kernels[k])
            continue; /* withheld */
        job->kernels[kept] = job->kernels[k];
        memmove(job->too_large[kept++], job->too_large[k], sizeof *job->too_large);
    }
    job->kernel_count = kept;
    return error;
}

/* ---- measuring ---- */

/** Beside the GEMVs: few samples, until they are enough for a number, and gamma for the best of its accumulators. */
static const struct effort beside = {.rounds = 2, .samples = 10, .settled = BEST_OF_KEPT_LEAST, .patience_s = 15};

enum { VISITS = 4, PATIENCE_S = 15 };

static int add_gammas(const struct gemv_job *job, const struct session *session, struct cells *cells)
{
    int error = 0;
    for (size_t k = 0; !error && k < job->kernel_count; k++) {
        const struct kernel *kernel = job->kernels[k];
        const struct sequence *sequence = sequence_find(kernel->gamma ? kernel->gamma : kernel->name);
        if (sequence)
            error = gamma_add_of_kinds(cells, session, sequence);
    }
    return error;
}

static int add_operands(const struct gemv_job *job, const struct session *session, struct cells *cells)
{
    int error = 0;
    for (size_t i = 0; !error && i < job->kernel_count * job->shape_count; i++) {
        const struct kernel *kernel = job->kernels[i / job->shape_count];
        const struct shape *shape = &job->shapes[i % job->shape_count];
        if (holds(kernel, shape))
            error = prepare_add_operand(cells, session, kernel, shape->k);
    }
    return error;
}

static int add_barriers(const struct gemv_job *job, struct cells *cells)
{
    int error = 0;
    for (size_t t = 0; !error && t < job->teams; t++) {
        if (job->sizes[t] > 1)
            error = sync_add(cells, job->sizes[t]);
    }
    return error;
}

static bool has_team(const struct gemv_job *job, unsigned threads)
{
    for (size_t t = 0; t < job->teams; t++) {
        if (job->sizes[t] == threads)
            return true;
    }
    return false;
}

/** Whether a warm GEMV of the job reads this level. */
static bool reads_warm(const struct gemv_job *job, const struct session *session, const char *level)
{
    for (size_t i = 0; job->warm && i < job->kernel_count * job->shape_count * job->teams; i++) {
        const struct kernel *kernel = job->kernels[i / job->teams / job->shape_count];
        const struct shape *shape = &job->shapes[i / job->teams % job->shape_count];
        unsigned threads = job->sizes[i % job->teams];
        size_t bytes = format_packed_bytes(kernel->format, shape->m, shape->k) / threads;
        if (holds(kernel, shape) && strcmp(session_level_of(session, bytes, threads), level) == 0)
            return true;
    }
    return false;
}

/** The roof of a level with each team, and with one thread, which says what one core can read. */
static int measure_roofs_of(const struct gemv_job *job, struct session *session, struct cells *cells, const char *level,
                            const struct execution *execution, size_t *failed)
{
    int error = has_team(job, 1) ? 0 : protocol_roof(session, cells, level, 1, execution, failed);
    for (size_t t = 0; !error && t < job->teams; t++)
        error = protocol_roof(session, cells, level, job->sizes[t], execution, failed);
    return error;
}

static int measure_roofs(const struct gemv_job *job, struct session *session, struct cells *cells,
                         const struct execution *execution, size_t *failed)
{
    int error = measure_roofs_of(job, session, cells, "memory", execution, failed);
    for (size_t l = 0; !error && l < SESSION_LEVELS; l++) {
        const char *level = session_levels[l];
        if (strcmp(level, "memory") != 0 && session_has_level(session, level) && reads_warm(job, session, level))
            error = measure_roofs_of(job, session, cells, level, execution, failed);
    }
    return error;
}

/** What is reported beside the GEMVs themselves. */
static int measure_beside(const struct gemv_job *job, struct session *session, struct cells *cells,
                          const struct execution *execution, size_t *failed)
{
    size_t first = cells->count;
    int error = add_gammas(job, session, cells);
    if (!error)
        error = add_operands(job, session, cells);
    if (!error)
        error = add_barriers(job, cells);
    if (!error)
        error = protocol_measure(session, cells, first, cells->count, &beside, execution, failed);
    return error ? error : measure_roofs(job, session, cells, execution, failed);
}

/** Cells that predictions rest on: omega of each kernel, and the start of a call with each team. */
static int add_calibrations(const struct gemv_job *job, const struct session *session, struct cells *cells)
{
    int error = gemv_add_start(cells, session, 1, true);
    for (size_t t = 0; !error && t < job->teams; t++) {
        if (job->cold)
            error = gemv_add_start(cells, session, job->sizes[t], true);
        if (!error && job->warm)
            error = gemv_add_start(cells, session, job->sizes[t], false);
    }
    for (size_t k = 0; !error && k < job->kernel_count; k++) {
        const struct kernel *kernel = job->kernels[k];
        const struct gemv_work work = {kernel, GEMV_CALIBRATION_SIDE, GEMV_CALIBRATION_SIDE, 1, true, NULL};
        if (!gemv_fits(session, &work, NULL, 0))
            error = gemv_add_calibration(cells, kernel);
    }
    return error;
}

/**
 * GEMVs and, before and after each round of them, what memory gives: a beta of another minute predicts nothing where neighbours
 * come and go.
 */
static int measure_rounds(const struct gemv_job *job, struct session *session, struct cells *cells, size_t first,
                          const struct effort *effort, const struct execution *execution, size_t *failed)
{
    size_t end = cells->count;
    int error = 0;
    for (unsigned round = 0; !error && round < effort->rounds; round++) {
        error = measure_roofs_of(job, session, cells, "memory", execution, failed);
        if (!error)
            error = cells_visit(session, cells, first, end, 1, effort->samples, execution, failed);
        if (!error)
            error = measure_roofs_of(job, session, cells, "memory", execution, failed);
    }
    return error ? error
                 : cells_settle(session, cells, first, end, effort->settled, effort->patience_s, execution, failed);
}

/** A kernel on a shape with every team and schedule, and its members alone if schedules were asked for. */
static int add_gemvs(const struct gemv_job *job, const struct session *session, struct cells *cells,
                     const struct kernel *kernel, const struct shape *shape)
{
    int error = 0;
    if (!plan_schedules_any(&job->schedules))
        return gemv_add_teams(cells, kernel, shape, job->sizes, job->teams, job->cold, job->warm);
    for (unsigned warm = 0; !error && warm < 2; warm++) {
        for (size_t t = 0; !error && t < job->teams && (warm ? job->warm : job->cold); t++)
            error = plan_schedules_add_gemvs(&job->schedules, session, cells, kernel, shape, job->sizes[t], !warm);
    }
    return error;
}

int gemv_job_check_schedules(const struct gemv_job *job, const struct session *session, char *why, size_t size)
{
    return plan_schedules_check(&job->schedules, session, job->kernels, job->kernel_count, job->sizes[job->teams - 1],
                                why, size);
}

static int measure_gemvs(const struct gemv_job *job, struct session *session, struct cells *cells,
                         const struct execution *execution, size_t *failed)
{
    size_t first = cells->count;
    int error = 0;
    for (size_t i = 0; !error && i < job->kernel_count * job->shape_count; i++) {
        size_t k = i / job->shape_count, s = i % job->shape_count;
        if (holds(job->kernels[k], &job->shapes[s]) && !job->too_large[k][s])
            error = add_gemvs(job, session, cells, job->kernels[k], &job->shapes[s]);
    }
    size_t asked = cells->count;
    if (!error)
        error = add_calibrations(job, session, cells);
    for (size_t i = first; i < cells->count; i++) {
        gemv_cell(&cells->cell[i])->beside = i >= asked;
        gemv_cell(&cells->cell[i])->prefetch_given = job->prefetch_given;
        gemv_cell(&cells->cell[i])->prefetch_bytes = job->prefetch_bytes;
    }
    unsigned samples = job->samples ? job->samples : GEMV_JOB_SAMPLES;
    /* few asked for: still on, until there are enough for a number */
    const size_t settled = samples > 2 * STATS_KEPT_LEAST ? (samples + 1) / 2 : STATS_KEPT_LEAST;
    const struct effort effort = protocol_effort(samples, VISITS, settled, PATIENCE_S);
    return error ? error : measure_rounds(job, session, cells, first, &effort, execution, failed);
}

int gemv_job_add_roofs(const struct gemv_job *job, const struct session *session, struct cells *cells)
{
    int error = 0;
    for (size_t t = 0; !error && t < job->teams; t++)
        error = beta_add_roof(cells, session, "memory", job->sizes[t]);
    return error;
}

int gemv_job_measure(const struct gemv_job *job, struct session *session, struct cells *cells,
                     const struct execution *execution, char *why, size_t size)
{
    size_t failed = 0;
    int error = measure_beside(job, session, cells, execution, &failed);
    if (!error)
        error = measure_gemvs(job, session, cells, execution, &failed);
    gemv_settle(cells);
    if (error)
        protocol_why(cells, failed, error, why, size);
    return error;
}
