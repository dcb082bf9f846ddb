/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/decode_job.h"
#include "harness/cells/cell/kind.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cells/cell/rounds.h"
#include "harness/cells/decode/decode_plan.h"
#include "harness/cells/join/join.h"
#include "harness/cells/layer/layer.h"
#include "harness/cells/prepare/prepare.h"
#include "harness/plan/prefill_job.h"
#include "harness/plan/product_measure.h"
#include "harness/plan/protocol.h"
#include "harness/plan/tuning_use.h"

/** Visits of each kernel: of two kernels' weights at once memory holds few, so a visit begins with writing them. */
enum { VISITS = 2, PATIENCE_S = 20 };

/** The distances that a table has for the GEMVs of a work of equal shares. */
static void tune(const struct decode_job *job, struct decode_work *work)
{
    for (int role = 0; role <= DECODE_ROLES && job->tuning && !job->given; role++) {
        const bool head = role == DECODE_ROLES;
        size_t m = job->model.vocabulary, k = job->model.hidden;
        if (!head)
            decode_shape(&job->model, role, &m, &k);
        const struct kernel *kernel = head ? work->head : work->kernel;
        const struct tuning_cell *match = tuning_use_match(job->tuning, kernel, false, m, k, 1, job->threads, true);
        if (match)
            work->prefetch[role] = (struct decode_prefetch){.given = true, .bytes = match->prefetch_bytes};
    }
}

static void set_ascending(size_t *to, const size_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && to[at - 1] > from[i]; at--)
            to[at] = to[at - 1];
        to[at] = from[i];
    }
}

static const struct decode_lengths usual_context = {1, {DECODE_CONTEXT}};

static int by_mean(const void *left, const void *right)
{
    const struct decode_lengths *a = left, *b = right;
    size_t of_a = decode_lengths_sum(a, a->count) * b->count, of_b = decode_lengths_sum(b, b->count) * a->count;
    return (of_a > of_b) - (of_a < of_b);
}

void decode_job_set_contexts(struct decode_job *job, const struct decode_lengths *contexts, size_t count)
{
    job->contexts[0] = usual_context;
    job->context_count = count ? count : 1;
    for (size_t i = 0; i < count; i++)
        job->contexts[i] = contexts[i];
    qsort(job->contexts, job->context_count, sizeof *job->contexts, by_mean);
}

void decode_job_set_users(struct decode_job *job, const size_t *users, size_t count)
{
    job->user_count = count;
    set_ascending(job->users, users, count);
}

/** The next kind of cache from this one on, the largest first; LAYER_CACHES: there is none. */
static enum layer_cache next_cache(const struct decode_job *job, int from)
{
    while (from < LAYER_CACHES && !(job->caches ? job->caches >> from & 1 : from == LAYER_CACHE_BF16))
        from++;
    return (enum layer_cache)from;
}

struct decode_work decode_job_work(const struct decode_job *job, size_t kernel, size_t tokens)
{
    struct decode_work work = {.model = job->model,
                               .kernel = job->kernels[kernel],
                               .head = job->head ? job->head : job->kernels[kernel],
                               .cache = next_cache(job, 0),
                               .context = job->context_count ? job->contexts[job->context_count - 1] : usual_context,
                               .users = !tokens && job->user_count ? job->users[job->user_count - 1] : 0,
                               .tokens = tokens,
                               .threads = job->threads,
                               .distinct = job->distinct,
                               .given = job->given};
    if (!decode_work_at_once(&work))
        tune(job, &work);
    return work;
}

int decode_job_leave_out(struct decode_job *job, const struct session *session, size_t tokens, decode_job_fits *fits,
                         char *why, size_t size)
{
    size_t fit = 0;
    int error = 0;
    for (size_t k = 0; k < job->kernel_count; k++) {
        const struct decode_work work = decode_job_work(job, k, tokens);
        int refusal = fits(session, &work, job->left_out[k], sizeof job->left_out[k]);
        fit += !refusal;
        if (refusal && !error) {
            snprintf(why, size, "%s", job->left_out[k]);
            error = refusal;
        }
    }
    return fit && !job->kernels_named ? 0 : error;
}

static int fits(const struct session *session, const struct decode_work *work, char *why, size_t size)
{
    size_t distinct;
    return decode_fits(session, work, &distinct, why, size);
}

int decode_job_check(struct decode_job *job, const struct session *session, char *why, size_t size)
{
    int error =
        plan_schedules_check(&job->schedules, session, job->kernels, job->kernel_count, job->threads, why, size);
    if (!error && job->head)
        error = plan_schedules_check(&job->schedules, session, &job->head, 1, job->threads, why, size);
    return error ? error : decode_job_leave_out(job, session, 0, fits, why, size);
}

struct effort decode_job_effort(const struct decode_job *job, unsigned visits, double patience_s)
{
    unsigned samples = job->samples ? job->samples : DECODE_JOB_SAMPLES;
    const size_t settled = samples > 2 * STATS_KEPT_LEAST ? (samples + 1) / 2 : STATS_KEPT_LEAST;
    return protocol_effort(samples, visits, settled, patience_s);
}

int decode_job_measure_from(struct session *session, struct cells *cells, size_t first, const struct effort *effort,
                            const struct execution *execution, int error, char *why, size_t size)
{
    size_t failed = 0;
    if (!error)
        error = protocol_measure(session, cells, first, cells->count, effort, execution, &failed);
    cell_kinds_settle(cells);
    if (error)
        protocol_why(cells, failed, error, why, size);
    return error;
}

size_t decode_job_kernels(const struct decode_job *job, bool heads, const struct kernel **kernels, size_t most)
{
    size_t count = 0;
    for (size_t k = 0; k < job->kernel_count; k++) {
        struct decode_use uses[DECODE_USES_MOST];
        struct decode_work work = decode_job_work(job, k, 0);
        size_t used = job->left_out[k][0] ? 0 : decode_uses(&work, uses);
        for (size_t i = 0; i < used; i++) {
            bool again = decode_is_read(uses[i].kernel) || count == most;
            again = again || (!heads && uses[i].head && uses[i].matrices == 1);
            for (size_t c = 0; c < count; c++)
                again = again || kernels[c] == uses[i].kernel;
            if (!again)
                kernels[count++] = uses[i].kernel;
        }
    }
    return count;
}

/** The constants that GEMVs are predicted from: a job without shapes. */
static struct product_job *constants_of(const struct decode_job *job)
{
    struct product_job *of = calloc(1, sizeof *of);
    if (!of)
        return NULL;
    of->sizes[0] = job->threads;
    of->teams = 1;
    of->cold = true;
    of->kernel_count = decode_job_kernels(job, true, of->kernels, sizeof of->kernels / sizeof *of->kernels);
    return of;
}

static int measure_constants(const struct decode_job *job, struct session *session, struct cells *cells,
                             const struct execution *execution, char *why, size_t size)
{
    struct product_job *of = constants_of(job);
    int error = of ? product_job_measure(of, session, cells, execution, why, size) : -ENOMEM;
    free(of);
    return error;
}

/** The pass of a kernel with a context and a cache, once for each schedule; or for each number of users. */
static int add_passes(const struct decode_job *job, const struct session *session, struct cells *cells, size_t k,
                      const struct decode_lengths *context, enum layer_cache cache)
{
    struct decode_work work = decode_job_work(job, k, 0);
    work.context = *context;
    work.cache = cache;
    struct plan_schedules_members layers, head;
    int error = 0;
    for (size_t i = 0; !error && i < job->user_count; i++) {
        work.users = job->users[i];
        error = decode_add(cells, &work);
    }
    if (job->user_count)
        return error;
    for (size_t i = 0; !error && i < plan_schedules_times(&job->schedules); i++) {
        const struct product_schedule_request of_layers =
            plan_schedules_request(&job->schedules, session, work.kernel, work.threads, i, &layers);
        const struct product_schedule_request of_head =
            plan_schedules_request(&job->schedules, session, work.head, work.threads, i, &head);
        error = decode_add_scheduled(cells, &work, &of_layers, &of_head);
    }
    return error;
}

/** What quantization and operands take, of every vector that matrices read. */
static int measure_operands(const struct decode_job *job, struct session *session, struct cells *cells,
                            const struct execution *execution, char *why, size_t size)
{
    static const struct effort effort = {
        .rounds = 2, .samples = 10, .settled = STATS_KEPT_LEAST, .patience_s = 5, .once = true};
    const struct model *model = &job->model;
    const size_t lengths[] = {model->hidden, model->heads * model->head_size, model->ffn};
    const struct kernel *kernels[DECODE_JOB_KERNELS];
    size_t first = cells->count, count = decode_job_kernels(job, true, kernels, DECODE_JOB_KERNELS);
    int error = 0;
    for (size_t i = 0; !error && i < 3 * count; i++) {
        if (!kernel_accepts_k(kernels[i / 3], lengths[i % 3], NULL, 0))
            error = prepare_add_operand(cells, session, kernels[i / 3], lengths[i % 3]);
    }
    return decode_job_measure_from(session, cells, first, &effort, execution, error, why, size);
}

/** What lies between the matrices, with each kind of cache; attention from memory beside the roof of one core. */
static int measure_layers(const struct decode_job *job, struct session *session, struct cells *cells,
                          const struct execution *execution, char *why, size_t size)
{
    static const struct effort effort = {
        .rounds = 2, .samples = 10, .settled = STATS_KEPT_LEAST, .patience_s = 5, .once = true};
    size_t failed = 0;
    int error = session->roof[1].chosen ? 0 : protocol_roof(session, cells, "memory", 1, execution, &failed);
    if (error)
        protocol_why(cells, failed, error, why, size);
    size_t first = cells->count;
    for (enum layer_cache cache = next_cache(job, 0); !error && cache < LAYER_CACHES;
         cache = next_cache(job, (int)cache + 1))
        error = layer_add(cells, session, &job->model, cache);
    return decode_job_measure_from(session, cells, first, &effort, execution, error, why, size);
}

/** Other ways to meet than the barrier of the team, which the constants have. */
static int measure_joins(const struct decode_job *job, struct session *session, struct cells *cells,
                         const struct execution *execution, char *why, size_t size)
{
    static const struct effort effort = {
        .rounds = 2, .samples = 10, .settled = STATS_KEPT_LEAST, .patience_s = 5, .once = true};
    size_t first = cells->count;
    int error = join_add(cells, job->threads);
    return decode_job_measure_from(session, cells, first, &effort, execution, error, why, size);
}

static int add_all_passes(const struct decode_job *job, const struct session *session, struct cells *cells)
{
    int error = 0;
    for (size_t k = 0; !error && k < job->kernel_count; k++) {
        for (size_t c = 0; !error && !job->left_out[k][0] && c < job->context_count; c++) {
            for (enum layer_cache cache = next_cache(job, 0); !error && cache < LAYER_CACHES;
                 cache = next_cache(job, (int)cache + 1))
                error = add_passes(job, session, cells, k, &job->contexts[c], cache);
        }
    }
    return error;
}

struct decode_job_estimate decode_job_estimate(const struct decode_job *job, const struct session *session)
{
    struct product_job *of = decode_job_has_gemms(job) ? NULL : constants_of(job);
    struct cells trial = {0};
    const struct effort effort = decode_job_effort(job, VISITS, PATIENCE_S);
    struct decode_job_estimate estimate = {of ? product_job_seconds(of, session) : PREFILL_JOB_CONSTANTS_S, 0};
    int error = job->prefills ? prefill_job_add(job, &trial) : add_all_passes(job, session, &trial);
    if (!error)
        estimate.passes_s = protocol_seconds(session, &trial, 0, trial.count, &effort);
    cells_release(&trial);
    free(of);
    return estimate;
}

double decode_job_begin(const struct decode_job *job, const struct session *session)
{
    const struct decode_job_estimate estimate = decode_job_estimate(job, session);
    return estimate.constants_s / (estimate.constants_s + estimate.passes_s);
}

/** What GEMVs are predicted from, operands, and ways to meet. */
static int measure_beside(const struct decode_job *job, struct session *session, struct cells *cells,
                          const struct execution *execution, char *why, size_t size)
{
    static const double CONSTANTS_END = 0.85, OPERANDS_END = 0.9, LAYERS_END = 0.95;
    struct execution_span span;
    struct execution part = execution_spanning(&span, execution, 0, CONSTANTS_END);
    int error = measure_constants(job, session, cells, &part, why, size);
    part = execution_spanning(&span, execution, CONSTANTS_END, OPERANDS_END);
    if (!error)
        error = measure_operands(job, session, cells, &part, why, size);
    part = execution_spanning(&span, execution, OPERANDS_END, LAYERS_END);
    if (!error)
        error = measure_layers(job, session, cells, &part, why, size);
    part = execution_spanning(&span, execution, LAYERS_END, 1);
    return error ? error : measure_joins(job, session, cells, &part, why, size);
}

int decode_job_measure(const struct decode_job *job, struct session *session, struct cells *cells,
                       const struct execution *execution, char *why, size_t size)
{
    const double begin = decode_job_begin(job, session);
    struct execution_span span;
    struct execution part = execution_spanning(&span, execution, 0, begin);
    snprintf(why, size, "no memory");
    int error = job->user_count ? prefill_job_constants(job, session, cells, &part, why, size)
                                : measure_beside(job, session, cells, &part, why, size);
    if (!error && job->user_count)
        error = measure_layers(job, session, cells, &part, why, size);
    size_t first = cells->count;
    if (!error)
        error = add_all_passes(job, session, cells);
    if (error)
        return error;
    const struct effort effort = decode_job_effort(job, VISITS, PATIENCE_S);
    part = execution_spanning(&span, execution, begin, 1);
    return decode_job_measure_from(session, cells, first, &effort, &part, 0, why, size);
}
