/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/product_measure.h"

#include <errno.h>
#include <string.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/rounds.h"
#include "harness/cells/dequantize/dequantize.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/gemm/gemm_model.h"
#include "harness/cells/gemv/gemv.h"
#include "harness/cells/gemv/gemv_model.h"
#include "harness/cells/pool/pool.h"
#include "harness/cells/prepare/prepare.h"
#include "harness/cells/product/best_peer.h"
#include "harness/cells/product/product_summary.h"
#include "harness/cells/read/read.h"
#include "harness/cells/repack/repack.h"
#include "harness/cells/unpack/unpack.h"
#include "harness/plan/peers_look.h"
#include "harness/plan/protocol.h"
#include "harness/plan/tuning_use.h"
#include "harness/team/gemm.h"
#include "results/statistics/stats.h"
#include "results/text/refuse.h"

/* ---- what can be measured ---- */

/** A schedule shares panels: no team of the job may share tokens instead, for lack of panels. */
static int check_panels(const struct product_job *job, char *why, size_t size)
{
    unsigned widest = job->sizes[job->teams - 1];
    for (size_t i = 0; plan_schedules_any(&job->schedules) && i < job->pair_count; i++) {
        const struct product_pair *pair = &job->pairs[i];
        const struct kernel *kernel = pair->kernel;
        if (pair->state != PAIR_DOES_NOT_FIT && gemm_splits_tokens(kernel, pair->shape->m, widest))
            return refuse(
                -EINVAL, why, size,
                "--schedule shares panels of %u rows, and %zux%zu of %s has %zu for %u threads, who share its "
                "tokens equally instead; fewer threads (--threads), more rows, or no schedule",
                (unsigned)kernel->format->rows_per_panel, pair->shape->m, pair->shape->k, kernel->name,
                kernel_groups(kernel, pair->shape->m), widest);
    }
    return 0;
}

int product_job_check(struct product_job *job, const struct session *session, char *why, size_t size)
{
    int error = plan_schedules_check(&job->schedules, session, job->kernels, job->kernel_count,
                                     job->sizes[job->teams - 1], why, size);
    if (!error && job->token_count)
        error = check_panels(job, why, size);
    return error || !job->kernel_count ? error : product_job_check_memory(job, session, false, why, size);
}

/* ---- what is reported beside the products ---- */

static int add_gamma(struct cells *cells, const struct session *session, const struct kernel *kernel)
{
    const struct sequence *sequence = sequence_find(kernel_gamma(kernel));
    return sequence ? gamma_add_of_kinds(cells, session, sequence) : 0;
}

/** gamma of what each kernel does: of GEMVs its sequence, of GEMMs what multiplies, and what unpacks. */
static int add_gammas(const struct product_job *job, const struct session *session, struct cells *cells)
{
    int error = 0;
    for (size_t k = 0; !error && k < job->kernel_count; k++)
        error = job->token_count ? gemm_add_multiply(cells, session, job->kernels[k])
                                 : add_gamma(cells, session, job->kernels[k]);
    for (size_t k = 0; !error && job->token_count && k < job->kernel_count; k++)
        error = unpack_add(cells, job->kernels[k]);
    return error;
}

/** What prepares the operands of a kernel on a shape. */
static int add_operands_of(const struct product_job *job, const struct session *session, struct cells *cells,
                           const struct kernel *kernel, const struct shape *shape)
{
    int error = 0;
    for (size_t n = 0; !error && n < job->token_count; n++)
        error = prepare_add_tokens(cells, session, kernel, shape->k, job->tokens[n]);
    if (job->token_count)
        return error;
    error = prepare_add_operand(cells, session, kernel, shape->k);
    if (!error && !job->beside_peers)
        error = prepare_add_tables(cells, kernel, shape->k);
    return error ? error : dequantize_add(cells, session, kernel, shape->m);
}

static int add_beside(const struct product_job *job, const struct session *session, struct cells *cells)
{
    int error = job->beside_peers ? 0 : add_gammas(job, session, cells);
    for (size_t i = 0; !error && i < job->pair_count; i++) {
        const struct product_pair *pair = &job->pairs[i];
        if (pair->state != PAIR_DOES_NOT_FIT)
            error = add_operands_of(job, session, cells, pair->kernel, pair->shape);
    }
    if (!error && !job->beside_peers)
        error = product_job_add_repacking(job, session, cells);
    return error ? error : product_job_add_barriers(job, cells);
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

/** Roofs are read again beside products, repacking is held against them, and of products some predict others of the same rounds. */
static bool depends_on_products(const struct cell *cell)
{
    return pool_cell(cell) || beta_cell(cell) || repack_cell(cell) || product_cell(cell);
}

/** Report what is final before the products are measured. */
static int report_beside(const struct cells *cells, const struct execution *execution)
{
    size_t end = 0;
    while (end < cells->count && !depends_on_products(&cells->cell[end]))
        end++;
    return execution_final(execution, cells, end);
}

/* ---- the products ---- */

/** Which of the job's products: GEMVs are all short. */
enum length { SHORT_ONES, LONG_ONES, LENGTHS };

/**
 * Of a GEMM whose sample is estimated to take longer than LONG_S as many are taken as a number rests on, in few visits, each of
 * which runs the product once more to verify it; others only in place of those that are rejected. What scatters from
 * sample to sample averages within a long one, and a sweep to 1,024 tokens would take minutes otherwise.
 */
static const double LONG_S = 0.01;
enum { LONG_SAMPLES = STATS_KEPT_LEAST, LONG_VISITS = 2, LONG_PATIENCE_S = 25 };

static struct effort effort_of(const struct product_job *job, enum length length)
{
    return length == LONG_ONES
               ? product_job_effort(job->samples ? job->samples : LONG_SAMPLES, LONG_VISITS, LONG_PATIENCE_S)
               : product_job_effort(job->samples ? job->samples : PRODUCT_JOB_SAMPLES, PRODUCT_JOB_VISITS,
                                    PRODUCT_JOB_PATIENCE_S);
}

/** A kernel's GEMV on a shape, plain ones with our prefetch as well. */
static int add_gemvs(const struct product_job *job, const struct session *session, struct cells *cells,
                     const struct kernel *kernel, const struct shape *shape)
{
    int error = product_job_add(job, session, cells, kernel, shape, PRODUCT_GEMV);
    return error || plan_schedules_any(&job->schedules) || job->prefetch_given || !job->cold
               ? error
               : gemv_add_prefetched(cells, kernel, shape, job->sizes, job->teams);
}

static int add_asked(const struct product_job *job, const struct session *session, struct cells *cells)
{
    int error = 0;
    for (size_t i = 0; !error && i < job->pair_count; i++) {
        const struct product_pair *pair = &job->pairs[i];
        if (pair->state != PAIR_MEASURED)
            continue;
        for (size_t n = 0; !error && n < job->token_count; n++)
            error = product_job_add(job, session, cells, pair->kernel, pair->shape, job->tokens[n]);
        if (!job->token_count)
            error = add_gemvs(job, session, cells, pair->kernel, pair->shape);
    }
    return error;
}

/** Cells that predictions of GEMVs rest on: omega of each kernel, and the start of a call with each team. */
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
        const struct product_work work = {.kernel = job->kernels[k],
                                          .m = GEMV_CALIBRATION_SIDE,
                                          .k = GEMV_CALIBRATION_SIDE,
                                          .tokens = PRODUCT_GEMV,
                                          .threads = 1,
                                          .cold = true};
        if (!product_fits(session, &work, NULL, 0))
            error = gemv_add_calibration(cells, job->kernels[k]);
    }
    return error;
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
    struct product_settings *settings = &product_cell(cell)->settings;
    product_cell(cell)->beside = beside;
    if (!settings->our_prefetch) {
        settings->prefetch_given = job->prefetch_given;
        settings->prefetch_bytes = job->prefetch_bytes;
    }
    if (job->tuning)
        tuning_use_apply(job->tuning, cell);
}

struct length_kept {
    const struct session *session;
    enum length length;
};

static bool has_length(const void *context, struct cell *cell)
{
    const struct length_kept *kept = context;
    bool is_long = cell_cost(kept->session, cell).sample_s > LONG_S;
    return is_long == (kept->length == LONG_ONES);
}

/** The products that are asked for, and after GEMVs those that predictions rest on. */
static int add_products(const struct product_job *job, const struct session *session, struct cells *cells,
                        const struct peers_look *look, enum length length)
{
    const bool gemvs = !job->token_count;
    size_t first = cells->count;
    int error = gemvs && length == LONG_ONES ? 0 : add_asked(job, session, cells);
    size_t asked = cells->count;
    if (!error && gemvs && length == SHORT_ONES && !job->beside_peers)
        error = add_calibrations(job, session, cells);
    for (size_t i = first; i < cells->count; i++)
        set_up(job, &cells->cell[i], i >= asked);
    if (look)
        peers_look_keep(look, cells, first);
    if (look && asked > cells->count)
        asked = cells->count;
    if (!gemvs)
        cells_keep(cells, first, has_length, &(struct length_kept){session, length});
    return error || !gemvs || !job->reads ? error : add_reads(cells, first, asked);
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

/** What the products take, before their cells are there; 0: none. */
static double products_seconds(const struct product_job *job, const struct session *session,
                               const struct peers_look *look, enum length length)
{
    struct cells trial = {0};
    const struct effort effort = effort_of(job, length);
    double seconds = 0;
    if (add_products(job, session, &trial, look, length) == 0 && trial.count)
        seconds = product_job_rounds_seconds(job, session, &trial, 0, trial.count, &effort);
    cells_release(&trial);
    return seconds;
}

/** Whether two products are of one width, kind, shape and number of tokens, with any team and protocol. Reads (--reads) are none. */
static bool is_beside(const struct cell *one, const struct cell *other)
{
    const struct product_cell *a = product_cell(one), *b = product_cell(other);
    return a && b && a->m == b->m && a->k == b->k && a->tokens == b->tokens &&
           best_peer_compares(one->kernel, other->kernel);
}

/** Bring those after the first of a group that are of it to just after it. @return one past the last */
static size_t gather_beside(struct cells *cells, size_t first)
{
    size_t end = first + 1;
    for (size_t i = end; i < cells->count; i++) {
        struct cell cell = cells->cell[i];
        if (!is_beside(&cells->cell[first], &cell))
            continue;
        memmove(&cells->cell[end + 1], &cells->cell[end], (i - end) * sizeof cell);
        cells->cell[end++] = cell;
    }
    return end;
}

/** All of a group, round after round, since those of one round alone are pairs, until none lacks anything. */
static int settle_peers(struct session *session, struct cells *cells, size_t first, size_t end,
                        const struct effort *effort, const struct execution *execution, size_t *failed)
{
    const struct execution patient = execution_within(execution, effort->patience_s);
    int error = 0;
    bool lacking = true;
    while (!error && lacking) {
        lacking = false;
        for (size_t i = first; !lacking && i < end; i++)
            lacking = best_peer_lacks(session, cells, &cells->cell[i]);
        if (lacking)
            error = cells_visit(session, cells, first, end, 1, effort->samples, &patient, failed);
    }
    return execution_of_part(error, &patient, execution);
}

/** Those of peers group by group, since nothing else is compared: each is reported when it is done. */
static int measure_peers(const struct product_job *job, struct session *session, struct cells *cells, size_t first,
                         const struct effort *effort, const struct execution *execution, size_t *failed)
{
    const double all_s = product_job_rounds_seconds(job, session, cells, first, cells->count, effort);
    double done_s = 0;
    int error = 0;
    for (size_t end; !error && first < cells->count; first = end) {
        end = gather_beside(cells, first);
        const double own_s = product_job_rounds_seconds(job, session, cells, first, end, effort);
        struct execution_span span;
        const struct execution part = execution_spanning(&span, execution, done_s / all_s, (done_s + own_s) / all_s);
        error = product_job_measure_rounds(job, session, cells, first, end, effort, &part, failed);
        if (!error)
            error = settle_peers(session, cells, first, end, effort, &part, failed);
        if (!error)
            error = execution_final(execution, cells, end);
        done_s += own_s;
    }
    return error;
}

static int measure_products(const struct product_job *job, struct session *session, struct cells *cells,
                            const struct peers_look *look, enum length length, const struct execution *execution,
                            size_t *failed)
{
    size_t first = cells->count;
    const struct effort effort = effort_of(job, length);
    int error = add_products(job, session, cells, look, length);
    if (!error && !job->token_count)
        error = calibrations_known(cells, first, execution, failed);
    if (error || cells->count == first)
        return error;
    return look ? measure_peers(job, session, cells, first, &effort, execution, failed)
                : product_job_measure_rounds(job, session, cells, first, cells->count, &effort, execution, failed);
}

/* ---- a quick look, of peers ---- */

enum { LOOK_SAMPLES = 3 };

static double look_seconds(const struct product_job *job, const struct session *session)
{
    double seconds = 0;
    for (int length = 0; job->beside_peers && length < LENGTHS; length++) {
        struct cells trial = {0};
        const struct effort effort = protocol_effort(length == LONG_ONES ? 1 : LOOK_SAMPLES, 1, 0, 0);
        if (add_asked(job, session, &trial) == 0) {
            peers_look_leave_out(job, session, &trial);
            cells_keep(&trial, 0, has_length, &(struct length_kept){session, length});
            seconds += protocol_seconds(session, &trial, 0, trial.count, &effort);
        }
        cells_release(&trial);
    }
    return seconds;
}

/** All short products, once each long one, and those again that this leaves in doubt. */
static int look_at_all(struct session *session, struct cells *cells, const struct execution *execution, size_t *failed)
{
    static const double ENDS[] = {0, 0.3, 0.9, 1};
    int error = 0;
    for (int step = 0; !error && step < 3; step++) {
        const struct effort effort = protocol_effort(step == 1 ? 1 : LOOK_SAMPLES, 1, 0, 0);
        struct execution_span span;
        const struct execution part = execution_spanning(&span, execution, ENDS[step], ENDS[step + 1]);
        for (size_t i = 0; i < cells->count; i++)
            cells->cell[i].suspended =
                !has_length(&(struct length_kept){session, step ? LONG_ONES : SHORT_ONES}, &cells->cell[i]);
        if (step == 2)
            peers_look_suspend(session, cells);
        error = protocol_measure(session, cells, 0, cells->count, &effort, &part, failed);
    }
    return error;
}

/** Which products are measured at length; what it samples is not kept. */
static int look_at(const struct product_job *job, struct session *session, const struct execution *execution,
                   struct peers_look *look, char *why, size_t size)
{
    struct cells trial = {0};
    struct execution unseen = *execution;
    unseen.visited = NULL;
    unseen.keep_going = true;
    size_t failed = 0;
    int error = add_asked(job, session, &trial);
    for (size_t i = 0; i < trial.count; i++)
        set_up(job, &trial.cell[i], false);
    peers_look_leave_out(job, session, &trial);
    if (!error)
        error = look_at_all(session, &trial, &unseen, &failed);
    if (error)
        protocol_why(&trial, failed, error, why, size);
    else
        error = peers_look_choose(job, session, &trial, look);
    cells_release(&trial);
    return error;
}

/* ---- all of it ---- */

double product_job_seconds(const struct product_job *job, const struct session *session)
{
    return beside_seconds(job, session) + products_seconds(job, session, NULL, SHORT_ONES) +
           products_seconds(job, session, NULL, LONG_ONES);
}

/** Products of both lengths; of peers those that a look has chosen. */
static int measure_both(const struct product_job *job, struct session *session, struct cells *cells,
                        const struct peers_look *look, const struct execution *execution, size_t *failed)
{
    const double short_s = products_seconds(job, session, look, SHORT_ONES),
                 all_s = short_s + products_seconds(job, session, look, LONG_ONES),
                 end_of_short = all_s > 0 ? short_s / all_s : 0; /* 0: what cannot be planned fails, and says why */
    struct execution_span span;
    struct execution part = execution_spanning(&span, execution, 0, end_of_short);
    int error = measure_products(job, session, cells, look, SHORT_ONES, &part, failed);
    part = execution_spanning(&span, execution, end_of_short, 1);
    return error ? error : measure_products(job, session, cells, look, LONG_ONES, &part, failed);
}

int product_job_measure(const struct product_job *job, struct session *session, struct cells *cells,
                        const struct execution *execution, char *why, size_t size)
{
    const double beside_s = beside_seconds(job, session), look_s = look_seconds(job, session);
    const double all_s = look_s + product_job_seconds(job, session), end_of_beside = all_s > 0 ? beside_s / all_s : 0,
                 end_of_look = all_s > 0 ? (beside_s + look_s) / all_s : 0;
    struct peers_look look = {0};
    size_t failed = 0;
    struct execution_span span;
    struct execution part = execution_spanning(&span, execution, 0, end_of_beside);
    int error = measure_beside(job, session, cells, &part, &failed);
    if (!error)
        error = report_beside(cells, execution);
    if (error)
        protocol_why(cells, failed, error, why, size);
    part = execution_spanning(&span, execution, end_of_beside, end_of_look);
    if (!error && job->beside_peers)
        error = look_at(job, session, &part, &look, why, size);
    part = execution_spanning(&span, execution, end_of_look, 1);
    if (!error) {
        error = measure_both(job, session, cells, job->beside_peers ? &look : NULL, &part, &failed);
        if (error)
            protocol_why(cells, failed, error, why, size);
    }
    cell_kinds_settle(cells);
    peers_look_release(&look);
    return error;
}
