/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/prefill_job.h"

#include <stdio.h>

#include "harness/cells/attention/attention.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/decode/pass_model.h"
#include "harness/cells/join/join.h"
#include "harness/cells/prefill/prefill.h"
#include "harness/cells/prefill/prefill_needs.h"
#include "harness/cells/prepare/prepare.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cells/sync/sync.h"
#include "harness/plan/protocol.h"

/** Visits of each prompt, and numbers of tokens that gamma(N) is fitted to. */
enum { VISITS = 2, PATIENCE_S = 20 };
static const size_t sweep[] = {16, 32, 64, 128, 256, PASS_SWEEP_MOST};

static size_t longest(const struct decode_job *job)
{
    size_t tokens = 0;
    for (size_t i = 0; i < job->prefills; i++)
        tokens = job->prefill[i] > tokens ? job->prefill[i] : tokens;
    return tokens;
}

static int fits(const struct session *session, const struct decode_work *work, char *why, size_t size)
{
    size_t distinct;
    return prefill_fits(session, work, 1, &distinct, why, size);
}

int prefill_job_check(struct decode_job *job, const struct session *session, char *why, size_t size)
{
    return decode_job_leave_out(job, session, longest(job), fits, why, size);
}

/* ---- what the model is made of ---- */

static int add_sweep(const struct decode_job *job, struct cells *cells, const struct kernel *kernel)
{
    const struct shape shape = {.m = PASS_SWEEP_ROWS * job->threads, .k = PASS_SWEEP_K, .count = 1};
    char why[160];
    int error = 0;
    if (kernel_accepts(kernel, shape.m, shape.k, why, sizeof why))
        return 0; /* its prompts have no prediction, and say so */
    for (size_t i = 0; !error && i < sizeof sweep / sizeof *sweep; i++)
        error = product_add(cells, kernel, &shape, sweep[i], job->threads, true);
    return error;
}

/** What is short: barriers and other ways to meet, attention of prompts, operands. */
static int add_short(const struct decode_job *job, const struct session *session, struct cells *cells)
{
    const struct model *model = &job->model;
    const size_t *tokens = job->prefills ? job->prefill : job->users,
                 sizes = job->prefills ? job->prefills : job->user_count;
    const size_t lengths[] = {model->hidden, model->heads * model->head_size, model->ffn};
    int error = sync_add(cells, job->threads);
    if (!error)
        error = join_add(cells, job->threads);
    for (size_t i = 0; !error && i < job->prefills; i++)
        error = attention_add(cells, session, model, job->prefill[i]);
    const struct kernel *kernels[DECODE_JOB_KERNELS];
    size_t count = decode_job_kernels(job, job->user_count, kernels, DECODE_JOB_KERNELS);
    for (size_t i = 0; !error && i < 3 * count * sizes; i++) {
        const struct kernel *kernel = kernels[i / 3 / sizes];
        if (!kernel_accepts_k(kernel, lengths[i % 3], NULL, 0))
            error = prepare_add_tokens(cells, session, kernel, lengths[i % 3], tokens[i / 3 % sizes]);
    }
    return error;
}

static int measure_roof(const struct decode_job *job, struct session *session, struct cells *cells,
                        const struct execution *execution, char *why, size_t size)
{
    size_t failed = 0;
    int error = protocol_roof(session, cells, "memory", job->threads, execution, &failed);
    if (error)
        protocol_why(cells, failed, error, why, size);
    return error;
}

int prefill_job_constants(const struct decode_job *job, struct session *session, struct cells *cells,
                          const struct execution *execution, char *why, size_t size)
{
    static const struct effort brief = {
        .rounds = 2, .samples = 8, .settled = STATS_KEPT_LEAST, .patience_s = 5, .once = true};
    static const struct effort few = {
        .rounds = 2, .samples = 4, .settled = STATS_KEPT_LEAST, .patience_s = 10, .once = true};
    static const double SHORT = 0.2, ROOF = 0.4, SWEEP = 0.95; /* where of the whole each of them ends */
    struct execution_span span;
    struct execution part = execution_spanning(&span, execution, 0, SHORT);
    size_t first = cells->count;
    int error = add_short(job, session, cells);
    error = decode_job_measure_from(session, cells, first, &brief, &part, error, why, size);
    part = execution_spanning(&span, execution, SHORT, ROOF);
    if (!error)
        error = measure_roof(job, session, cells, &part, why, size);
    first = cells->count;
    part = execution_spanning(&span, execution, ROOF, SWEEP);
    const struct kernel *kernels[DECODE_JOB_KERNELS];
    size_t count = decode_job_kernels(job, job->user_count, kernels, DECODE_JOB_KERNELS);
    for (size_t k = 0; !error && k < count; k++)
        error = add_sweep(job, cells, kernels[k]);
    if (!error)
        error = decode_job_measure_from(session, cells, first, &few, &part, 0, why, size);
    part = execution_spanning(&span, execution, SWEEP, 1);
    return error ? error : measure_roof(job, session, cells, &part, why, size);
}

/* ---- prompts ---- */

int prefill_job_add(const struct decode_job *job, struct cells *cells)
{
    int error = 0;
    for (size_t i = 0; !error && i < job->kernel_count * job->prefills; i++) {
        struct decode_work work = decode_job_work(job, i / job->prefills, job->prefill[i % job->prefills]);
        if (!job->left_out[i / job->prefills][0])
            error = prefill_add(cells, &work);
    }
    return error;
}

int prefill_job_measure(const struct decode_job *job, struct session *session, struct cells *cells,
                        const struct execution *execution, char *why, size_t size)
{
    snprintf(why, size, "no memory");
    const double begin = decode_job_begin(job, session);
    struct execution_span span;
    struct execution part = execution_spanning(&span, execution, 0, begin);
    int error = prefill_job_constants(job, session, cells, &part, why, size);
    if (error)
        return error;
    part = execution_spanning(&span, execution, begin, 1);
    const struct effort effort = decode_job_effort(job, VISITS, PATIENCE_S);
    size_t first = cells->count;
    error = prefill_job_add(job, cells);
    return decode_job_measure_from(session, cells, first, &effort, &part, error, why, size);
}
