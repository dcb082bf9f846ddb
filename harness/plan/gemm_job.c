/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/gemm_job.h"

#include <errno.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/gemm/gemm_model.h"
#include "harness/cells/prepare/prepare.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cells/unpack/unpack.h"
#include "harness/plan/protocol.h"
#include "harness/plan/tuning_use.h"
#include "harness/team/gemm.h"
#include "results/statistics/stats.h"
#include "results/text/refuse.h"

/* ---- what can be measured ---- */

/** A schedule shares panels: no team of the job may share tokens instead, for want of panels. */
static int check_panels(const struct product_job *job, char *why, size_t size)
{
    unsigned widest = job->sizes[job->teams - 1];
    for (size_t i = 0; plan_schedules_any(&job->schedules) && i < job->kernel_count * job->shape_count; i++) {
        const struct kernel *kernel = job->kernels[i / job->shape_count];
        const struct shape *shape = &job->shapes[i % job->shape_count];
        if (product_job_holds(kernel, shape) && gemm_splits_tokens(kernel, shape->m, widest))
            return refuse(
                -EINVAL, why, size,
                "--schedule shares panels of %u rows, and %zux%zu of %s has %zu for %u threads, who share its "
                "tokens equally instead; fewer threads (--threads), more rows, or no schedule",
                (unsigned)kernel->format->rows_per_panel, shape->m, shape->k, kernel->name,
                kernel_groups(kernel, shape->m), widest);
    }
    return 0;
}

int gemm_job_check(struct product_job *job, const struct session *session, char *why, size_t size)
{
    int error = plan_schedules_check(&job->schedules, session, job->kernels, job->kernel_count,
                                     job->sizes[job->teams - 1], why, size);
    if (!error)
        error = check_panels(job, why, size);
    return error || !job->kernel_count ? error : product_job_check_memory(job, session, false, why, size);
}

/* ---- measuring ---- */

/**
 * Of a sample that is estimated to take longer than LONG_S as many are taken as a number rests on, in few visits, each of
 * which runs the product once more to verify it; others only in place of those that are rejected. What scatters from
 * sample to sample averages within a long one, and a sweep to 1,024 tokens would take minutes otherwise.
 */
static const double LONG_S = 0.01;
enum { LONG_SAMPLES = STATS_KEPT_LEAST, LONG_VISITS = 2, LONG_PATIENCE_S = 25 };

static int add_tokens(const struct product_job *job, const struct session *session, struct cells *cells, size_t pair)
{
    const struct kernel *kernel = job->kernels[pair / job->shape_count];
    const struct shape *shape = &job->shapes[pair % job->shape_count];
    int error = 0;
    for (size_t n = 0; !error && n < job->token_count && product_job_holds(kernel, shape); n++)
        error = prepare_add_tokens(cells, session, kernel, shape->k, job->tokens[n]);
    return error;
}

/** What is reported beside the GEMMs themselves. */
static int add_beside(const struct product_job *job, const struct session *session, struct cells *cells)
{
    int error = 0;
    for (size_t k = 0; !error && !job->beside_peers && k < job->kernel_count; k++)
        error = gemm_add_multiply(cells, session, job->kernels[k]);
    for (size_t k = 0; !error && !job->beside_peers && k < job->kernel_count; k++)
        error = unpack_add(cells, job->kernels[k]);
    for (size_t i = 0; !error && i < job->kernel_count * job->shape_count; i++)
        error = add_tokens(job, session, cells, i);
    if (!error && !job->beside_peers)
        error = product_job_add_repacking(job, session, cells);
    if (!error)
        error = product_job_add_barriers(job, cells);
    return error;
}

static double beside_seconds(const struct product_job *job, const struct session *session)
{
    struct cells trial = {0};
    double seconds = 0;
    if (add_beside(job, session, &trial) == 0)
        seconds = product_job_beside_seconds(job, session, &trial, 0);
    cells_release(&trial);
    return seconds;
}

static int measure_beside(const struct product_job *job, struct session *session, struct cells *cells,
                          const struct execution *execution, size_t *failed)
{
    size_t first = cells->count;
    int error = add_beside(job, session, cells);
    return error ? error : product_job_measure_beside(job, session, cells, first, execution, failed);
}

static bool is_long(const struct session *session, const struct cell *cell)
{
    return cell_cost(session, cell).sample_s > LONG_S;
}

/** The GEMMs of the job, those that take long or the others. */
static int add_gemms(const struct product_job *job, const struct session *session, struct cells *cells, bool long_ones)
{
    int error = 0;
    for (size_t i = 0; !error && i < job->kernel_count * job->shape_count; i++) {
        size_t k = i / job->shape_count, s = i % job->shape_count;
        for (size_t n = 0; !error && n < job->token_count; n++) {
            size_t first = cells->count;
            if (product_job_holds(job->kernels[k], &job->shapes[s]) && !job->too_large[k][s])
                error = product_job_add(job, session, cells, job->kernels[k], &job->shapes[s], job->tokens[n]);
            size_t kept = first;
            for (size_t c = first; c < cells->count; c++) {
                struct cell *cell = &cells->cell[c];
                gemm_cell(cell)->settings.prefetch_given = job->prefetch_given;
                gemm_cell(cell)->settings.prefetch_bytes = job->prefetch_bytes;
                if (job->tuning)
                    tuning_use_apply(job->tuning, cell);
                if (is_long(session, cell) == long_ones)
                    cells->cell[kept++] = *cell;
                else
                    cell_release(cell);
            }
            cells->count = kept;
        }
    }
    return error;
}

static struct effort effort_of(const struct product_job *job, bool long_ones)
{
    return long_ones ? product_job_effort(job->samples ? job->samples : LONG_SAMPLES, LONG_VISITS, LONG_PATIENCE_S)
                     : product_job_effort(job->samples ? job->samples : PRODUCT_JOB_SAMPLES, PRODUCT_JOB_VISITS,
                                          PRODUCT_JOB_PATIENCE_S);
}

/** What the GEMMs take, those that take long or the others, before their cells are there; 0: there are none. */
static double gemms_seconds(const struct product_job *job, const struct session *session, bool long_ones)
{
    struct cells trial = {0};
    const struct effort effort = effort_of(job, long_ones);
    double seconds = 0;
    if (add_gemms(job, session, &trial, long_ones) == 0 && trial.count)
        seconds = product_job_rounds_seconds(job, session, &trial, 0, trial.count, &effort);
    cells_release(&trial);
    return seconds;
}

static int measure_gemms(const struct product_job *job, struct session *session, struct cells *cells, bool long_ones,
                         const struct execution *execution, size_t *failed)
{
    size_t first = cells->count;
    const struct effort effort = effort_of(job, long_ones);
    int error = add_gemms(job, session, cells, long_ones);
    return error || cells->count == first
               ? error
               : product_job_measure_rounds(job, session, cells, first, cells->count, &effort, execution, failed);
}

int gemm_job_measure(const struct product_job *job, struct session *session, struct cells *cells,
                     const struct execution *execution, char *why, size_t size)
{
    size_t failed = 0;
    double beside_s = beside_seconds(job, session), short_s = gemms_seconds(job, session, false),
           all_s = beside_s + short_s + gemms_seconds(job, session, true);
    struct execution_span span;
    struct execution part = execution_spanning(&span, execution, 0, beside_s / all_s);
    int error = measure_beside(job, session, cells, &part, &failed);
    part = execution_spanning(&span, execution, beside_s / all_s, (beside_s + short_s) / all_s);
    if (!error)
        error = measure_gemms(job, session, cells, false, &part, &failed);
    part = execution_spanning(&span, execution, (beside_s + short_s) / all_s, 1);
    if (!error)
        error = measure_gemms(job, session, cells, true, &part, &failed);
    cell_kind_gemm.settle(cells);
    if (error)
        protocol_why(cells, failed, error, why, size);
    return error;
}
