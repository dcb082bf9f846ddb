/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/decode/pass_model.h"

#include <math.h>

#include "harness/cells/gemm/gemm_model.h"
#include "harness/cells/prepare/prepare.h"
#include "harness/decode/prefill_pass.h"
#include "roofline/overlap.h"

enum { VECTOR_WEIGHTS = 32 };

/** A cell of the sweep of a kernel; NULL: none. */
static const struct cell *sweep_of(const struct cells *cells, const struct decode_work *work,
                                   const struct kernel *kernel)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        const struct product_cell *gemm = gemm_cell(cell);
        if (gemm && !gemm->schedule && cell->kernel == kernel && gemm->m == PASS_SWEEP_ROWS * work->threads &&
            gemm->k == PASS_SWEEP_K && cell->threads == work->threads && cell->cold)
            return cell;
    }
    return NULL;
}

/** What the GEMMs of a pass have in common, and what is said of them. */
struct predicting {
    const struct session *session;
    const struct cells *cells;
    const struct decode_work *work;
    double bandwidth, clock_hz;
    const struct kernel *kernel; /* that the model is of; NULL: none yet */
    struct gemm_model model;
    double computing_s; /* what computing takes, as if nothing had to be read */
    const char *why;    /* the first reason */
};

static void take_kernel(struct predicting *predicting, const struct kernel *kernel)
{
    if (predicting->kernel == kernel)
        return;
    const struct cell *sweep = sweep_of(predicting->cells, predicting->work, kernel);
    predicting->kernel = kernel;
    predicting->model = sweep ? gemm_model(predicting->session, predicting->cells, sweep)
                              : (struct gemm_model){.why = "no GEMM of the kernel was measured beside it"};
    predicting->why = predicting->why ? predicting->why : predicting->model.why;
}

static double gemm_time(struct predicting *predicting, const struct kernel *kernel, size_t m, size_t k)
{
    const struct decode_work *work = predicting->work;
    const struct format *format = kernel->format;
    take_kernel(predicting, kernel);
    if (predicting->model.why)
        return NAN;
    double vectors =
        (double)format_panels(format, m) * format->rows_per_panel * (double)format_columns(format, k) / VECTOR_WEIGHTS;
    double memory_s = (double)format_packed_bytes(format, m, k) / predicting->bandwidth;
    double compute_s = vectors * gemm_computing(&predicting->model.fit, (double)decode_work_at_once(work)) /
                       work->threads / predicting->clock_hz;
    predicting->computing_s += compute_s;
    return overlap_time(memory_s, compute_s, isnan(predicting->model.omega) ? 1 : predicting->model.omega);
}

/** Of all layers, those of a kernel one after the other, since its model is found once then. */
static double gemms_time(struct predicting *predicting)
{
    const struct decode_work *work = predicting->work;
    struct decode_use uses[DECODE_USES_MOST];
    size_t count = decode_uses(work, uses);
    double seconds = 0;
    for (size_t i = 0; i < count * work->model.layers * DECODE_ROLES; i++) {
        size_t m, k, at = i % (work->model.layers * DECODE_ROLES);
        int role = (int)(at % DECODE_ROLES);
        const struct kernel *kernel = decode_kernel_at(work, at / DECODE_ROLES, role);
        decode_shape(&work->model, role, &m, &k);
        if (kernel == uses[i / (work->model.layers * DECODE_ROLES)].kernel)
            seconds += gemm_time(predicting, kernel, m, k);
    }
    return seconds;
}

struct pass_products pass_products(const struct session *session, const struct cells *cells, const struct cell *cell,
                                   const struct decode_work *work, double bandwidth)
{
    struct predicting predicting = {.session = session,
                                    .cells = cells,
                                    .work = work,
                                    .bandwidth = bandwidth,
                                    .clock_hz = summary_stated(summary_clock(cell))};
    struct pass_products of = {.layers_s = gemms_time(&predicting)};
    of.head_s =
        work->users
            ? gemm_time(&predicting, decode_kernel_at(work, 0, DECODE_ROLES), work->model.vocabulary,
                        work->model.hidden)
            : (double)format_packed_bytes(work->head->format, work->model.vocabulary, work->model.hidden) / bandwidth;
    of.why = predicting.why;
    of.computing_s = of.why ? (double)NAN : predicting.computing_s;
    return of;
}

/** The operands of a layer, each once for all that read it. */
static double layer_operand_time(const struct cells *cells, const struct decode_work *work, size_t layer)
{
    const struct kernel *kernel[DECODE_ROLES];
    double seconds = 0;
    for (int role = 0; role < DECODE_ROLES; role++) {
        bool shared = false;
        size_t m, k;
        kernel[role] = decode_kernel_at(work, layer, role);
        decode_shape(&work->model, role, &m, &k);
        for (int before = 0; before < role; before++)
            shared = shared || (decode_group_of(before) == decode_group_of(role) &&
                                prefill_shares_operand(kernel[before], kernel[role], k));
        seconds += shared ? 0 : prepare_tokens_time(cells, kernel[role], k, decode_work_at_once(work));
    }
    return seconds;
}

double pass_operand_time(const struct cells *cells, const struct decode_work *work)
{
    double seconds = 0;
    if (work->users)
        seconds = prepare_tokens_time(cells, decode_kernel_at(work, 0, DECODE_ROLES), work->model.hidden, work->users);
    for (size_t layer = 0; layer < work->model.layers; layer++)
        seconds += layer_operand_time(cells, work, layer);
    return seconds / work->threads;
}
