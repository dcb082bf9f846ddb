/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/gemm_job.h"

#include "harness/cells/cell/kind.h"
#include "harness/cells/gemm.h"
#include "harness/cells/gemm_model.h"
#include "harness/cells/prepare.h"
#include "harness/plan/protocol.h"
#include "results/stats.h"

/* ---- what can be measured ---- */

static size_t most_tokens(const struct product_job *job)
{
    size_t most = 1;
    for (size_t i = 0; i < job->token_count; i++)
        most = job->tokens[i] > most ? job->tokens[i] : most;
    return most;
}

static int fits(const void *context, const struct session *session, const struct kernel *kernel,
                const struct shape *shape, unsigned threads, char *why, size_t size)
{
    const struct product_job *job = context;
    const struct gemm_work work = {kernel, shape->m, shape->k, most_tokens(job), threads, job->cold};
    return gemm_fits(session, &work, why, size);
}

int gemm_job_check(struct product_job *job, const struct session *session, char *why, size_t size)
{
    return job->kernel_count ? product_job_check_memory(job, session, fits, job, why, size) : 0;
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
static int measure_beside(const struct product_job *job, struct session *session, struct cells *cells,
                          const struct execution *execution, size_t *failed)
{
    size_t first = cells->count;
    int error = 0;
    for (size_t k = 0; !error && k < job->kernel_count; k++)
        error = gemm_add_multiply(cells, session, job->kernels[k]);
    for (size_t i = 0; !error && i < job->kernel_count * job->shape_count; i++)
        error = add_tokens(job, session, cells, i);
    if (!error)
        error = product_job_add_barriers(job, cells);
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
                error = gemm_add_teams(cells, job->kernels[k], &job->shapes[s], job->tokens[n], job->sizes, job->teams,
                                       job->cold, job->warm);
            size_t kept = first;
            for (size_t c = first; c < cells->count; c++) {
                struct cell *cell = &cells->cell[c];
                gemm_cell(cell)->prefetch_given = job->prefetch_given;
                gemm_cell(cell)->prefetch_bytes = job->prefetch_bytes;
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

static int measure_gemms(const struct product_job *job, struct session *session, struct cells *cells,
                         const struct execution *execution, size_t *failed)
{
    int error = 0;
    for (int long_ones = 0; !error && long_ones < 2; long_ones++) {
        size_t first = cells->count;
        const struct effort effort =
            long_ones ? product_job_effort(job->samples ? job->samples : LONG_SAMPLES, LONG_VISITS, LONG_PATIENCE_S)
                      : product_job_effort(job->samples ? job->samples : PRODUCT_JOB_SAMPLES, PRODUCT_JOB_VISITS,
                                           PRODUCT_JOB_PATIENCE_S);
        error = add_gemms(job, session, cells, long_ones);
        if (!error && cells->count > first)
            error = product_job_measure_rounds(job, session, cells, first, cells->count, &effort, execution, failed);
    }
    return error;
}

int gemm_job_measure(const struct product_job *job, struct session *session, struct cells *cells,
                     const struct execution *execution, char *why, size_t size)
{
    size_t failed = 0;
    int error = measure_beside(job, session, cells, execution, &failed);
    if (!error)
        error = measure_gemms(job, session, cells, execution, &failed);
    cell_kind_gemm.settle(cells);
    if (error)
        protocol_why(cells, failed, error, why, size);
    return error;
}
