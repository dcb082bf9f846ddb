/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/gemv_job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/dequantize/dequantize.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/gemv/gemv.h"
#include "harness/cells/gemv/gemv_model.h"
#include "harness/cells/prepare/prepare.h"
#include "harness/cells/product/product_summary.h"
#include "harness/cells/read/read.h"
#include "harness/plan/protocol.h"
#include "harness/plan/tuning_use.h"

/* ---- measuring ---- */

static int add_gammas(const struct product_job *job, const struct session *session, struct cells *cells)
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

static int add_operands(const struct product_job *job, const struct session *session, struct cells *cells)
{
    int error = 0;
    for (size_t i = 0; !error && i < job->kernel_count * job->shape_count; i++) {
        const struct kernel *kernel = job->kernels[i / job->shape_count];
        const struct shape *shape = &job->shapes[i % job->shape_count];
        if (product_job_holds(kernel, shape))
            error = prepare_add_operand(cells, session, kernel, shape->k);
        if (!error && !job->beside_peers && product_job_holds(kernel, shape))
            error = prepare_add_tables(cells, kernel, shape->k);
        if (!error && product_job_holds(kernel, shape))
            error = dequantize_add(cells, session, kernel, shape->m);
    }
    return error;
}

/** What is reported beside the GEMVs themselves. */
static int add_beside(const struct product_job *job, const struct session *session, struct cells *cells)
{
    int error = job->beside_peers ? 0 : add_gammas(job, session, cells);
    if (!error)
        error = add_operands(job, session, cells);
    if (!error && !job->beside_peers)
        error = product_job_add_repacking(job, session, cells);
    if (!error)
        error = product_job_add_barriers(job, cells);
    return error;
}

static int measure_beside(const struct product_job *job, struct session *session, struct cells *cells,
                          const struct execution *execution, size_t *failed)
{
    size_t first = cells->count;
    int error = add_beside(job, session, cells);
    return error ? error : product_job_measure_beside(job, session, cells, first, execution, failed);
}

/** Cells that predictions rest on: omega of each kernel, and the start of a call with each team. */
static int add_calibrations(const struct product_job *job, const struct session *session, struct cells *cells)
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
        const struct product_work work = {
            kernel, GEMV_CALIBRATION_SIDE, GEMV_CALIBRATION_SIDE, PRODUCT_GEMV, 1, true, NULL, false};
        if (!product_fits(session, &work, NULL, 0))
            error = gemv_add_calibration(cells, kernel);
    }
    return error;
}

/** A kernel on a shape, plain ones with our prefetch as well. */
static int add_gemvs(const struct product_job *job, const struct session *session, struct cells *cells,
                     const struct kernel *kernel, const struct shape *shape)
{
    int error = product_job_add(job, session, cells, kernel, shape, PRODUCT_GEMV);
    return error || plan_schedules_any(&job->schedules) || job->prefetch_given || !job->cold
               ? error
               : gemv_add_prefetched(cells, kernel, shape, job->sizes, job->teams);
}

int gemv_job_check(struct product_job *job, const struct session *session, char *why, size_t size)
{
    int error = plan_schedules_check(&job->schedules, session, job->kernels, job->kernel_count,
                                     job->sizes[job->teams - 1], why, size);
    return error || !job->kernel_count ? error : product_job_check_memory(job, session, false, why, size);
}

/** A read of as many bytes as each cold one of [first, end) has. */
static int add_reads(struct cells *cells, size_t first, size_t end)
{
    int error = 0;
    for (size_t i = first; !error && i < end; i++) {
        const struct cell *cell = &cells->cell[i];
        if (cell->cold)
            error = read_add(cells, (size_t)product_packed_bytes(cell), cell->threads);
    }
    return error;
}

static void set_up(const struct product_job *job, struct cell *cell, bool beside)
{
    struct product_settings *settings = &gemv_cell(cell)->settings;
    gemv_cell(cell)->beside = beside;
    if (!settings->our_prefetch) {
        settings->prefetch_given = job->prefetch_given;
        settings->prefetch_bytes = job->prefetch_bytes;
    }
    if (job->tuning)
        tuning_use_apply(job->tuning, cell);
}

/** The GEMVs that are asked for, and behind them those that predictions rest on. */
static int add_all(const struct product_job *job, const struct session *session, struct cells *cells)
{
    size_t first = cells->count;
    int error = 0;
    for (size_t i = 0; !error && i < job->kernel_count * job->shape_count; i++) {
        size_t k = i / job->shape_count, s = i % job->shape_count;
        if (product_job_holds(job->kernels[k], &job->shapes[s]) && !job->too_large[k][s])
            error = add_gemvs(job, session, cells, job->kernels[k], &job->shapes[s]);
    }
    size_t asked = cells->count;
    if (!error && !job->beside_peers)
        error = add_calibrations(job, session, cells);
    for (size_t i = first; i < cells->count; i++)
        set_up(job, &cells->cell[i], i >= asked);
    if (!error && job->reads)
        error = add_reads(cells, first, asked);
    return error;
}

static struct effort effort_of(const struct product_job *job)
{
    return product_job_effort(job->samples ? job->samples : PRODUCT_JOB_SAMPLES, PRODUCT_JOB_VISITS,
                              PRODUCT_JOB_PATIENCE_S);
}

static bool is_calibration(const struct cell *cell)
{
    return gemv_cell(cell) && gemv_cell(cell)->beside;
}

/** Those that the run has already are not measured again. */
static int calibrations_known(struct cells *cells, size_t first, const struct execution *execution, size_t *failed)
{
    while (first < cells->count && !is_calibration(&cells->cell[first]))
        first++;
    size_t end = first;
    while (end < cells->count && is_calibration(&cells->cell[end]))
        end++;
    return execution_added(execution, cells, first, end, STATS_KEPT_LEAST, failed);
}

static int measure_gemvs(const struct product_job *job, struct session *session, struct cells *cells,
                         const struct execution *execution, size_t *failed)
{
    size_t first = cells->count;
    int error = add_all(job, session, cells);
    const struct effort effort = effort_of(job);
    if (!error)
        error = calibrations_known(cells, first, execution, failed);
    return error ? error
                 : product_job_measure_rounds(job, session, cells, first, cells->count, &effort, execution, failed);
}

/** What the GEMVs take, before their cells are there. */
static double gemvs_seconds(const struct product_job *job, const struct session *session)
{
    struct cells trial = {0};
    const struct effort effort = effort_of(job);
    double seconds = 0;
    if (add_all(job, session, &trial) == 0)
        seconds = product_job_rounds_seconds(job, session, &trial, 0, trial.count, &effort);
    cells_release(&trial);
    return seconds;
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

double gemv_job_seconds(const struct product_job *job, const struct session *session)
{
    return beside_seconds(job, session) + gemvs_seconds(job, session);
}

int gemv_job_measure(const struct product_job *job, struct session *session, struct cells *cells,
                     const struct execution *execution, char *why, size_t size)
{
    size_t failed = 0;
    double beside_s = beside_seconds(job, session), all_s = beside_s + gemvs_seconds(job, session);
    double share = all_s > 0 ? beside_s / all_s : 0; /* 0: what cannot be planned fails below, and says why */
    struct execution_span spans[2];
    const struct execution beside = execution_spanning(&spans[0], execution, 0, share),
                           gemvs = execution_spanning(&spans[1], execution, share, 1);
    int error = measure_beside(job, session, cells, &beside, &failed);
    if (!error)
        error = measure_gemvs(job, session, cells, &gemvs, &failed);
    gemv_settle(cells);
    read_settle(cells);
    if (error)
        protocol_why(cells, failed, error, why, size);
    return error;
}
