/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/prefill/prefill_model.h"

#include <math.h>

#include "harness/cells/attention/attention.h"
#include "harness/cells/beta/beta.h"
#include "harness/cells/gemm/gemm_model.h"
#include "harness/cells/prefill/prefill_needs.h"
#include "harness/cells/prepare/prepare.h"
#include "harness/cells/sync/sync.h"
#include "roofline/overlap.h"

enum { VECTOR_WEIGHTS = 32 };

/** A cell of the sweep of a kernel; NULL: none. */
static const struct cell *sweep_of(const struct cells *cells, const struct decode_work *work,
                                   const struct kernel *kernel)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        const struct product_cell *gemm = gemm_cell(cell);
        if (gemm && !gemm->schedule && cell->kernel == kernel && gemm->m == PREFILL_SWEEP_ROWS * work->threads &&
            gemm->k == PREFILL_SWEEP_K && cell->threads == work->threads && cell->cold)
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
    double compute_s =
        vectors * gemm_computing(&predicting->model.fit, (double)work->tokens) / work->threads / predicting->clock_hz;
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
        seconds += shared ? 0 : prepare_tokens_time(cells, kernel[role], k, work->tokens);
    }
    return seconds;
}

static double operand_time(const struct cells *cells, const struct decode_work *work)
{
    double seconds = 0;
    for (size_t layer = 0; layer < work->model.layers; layer++)
        seconds += layer_operand_time(cells, work, layer);
    return seconds / work->threads;
}

/** Bytes of floats: two norms with their residual adds, rotary embedding with its stores of bf16, and the gate. */
static double between_bytes(const struct decode_work *work)
{
    const struct model *model = &work->model;
    double q = (double)(model->heads * model->head_size), kv = (double)(2 * model->kv_heads * model->head_size);
    double norms = 2 * 4 * (double)model->hidden, rope = 2 * q + kv * 1.5, gate = 3 * (double)model->ffn;
    double sub_norms = model->sub_norms ? 2 * (q + (double)model->ffn) : 0;
    return (double)(model->layers * work->tokens) * sizeof(float) * (norms + rope + gate + sub_norms);
}

struct prefill_prediction prefill_predict(const struct session *session, const struct cells *cells,
                                          const struct cell *cell)
{
    const struct decode_work *work = &prefill_cell(cell)->work;
    const struct cell *roof = beta_roof(cells, "memory", work->threads);
    double bandwidth = roof ? summary_stated(beta_bandwidth(roof)) : (double)NAN;
    struct predicting predicting = {.session = session,
                                    .cells = cells,
                                    .work = work,
                                    .bandwidth = bandwidth,
                                    .clock_hz = summary_stated(summary_clock(cell))};
    struct prefill_prediction of = {.gemm_s = gemms_time(&predicting)};
    of.computing_s = predicting.why ? (double)NAN : predicting.computing_s;
    of.head_s = (double)prefill_head_bytes(work) / bandwidth;
    of.attention_s = (double)(work->model.layers * work->model.kv_heads) *
                     attention_time(cells, &work->model, work->tokens) / work->threads;
    of.operand_s = operand_time(cells, work);
    of.between_s = between_bytes(work) / bandwidth;
    const struct decode_weights_request request = decode_request(work, work->model.layers, 1);
    of.sync_s = (double)prefill_pass_joins(&request) * sync_time(cells, work->threads);
    of.read_s = (double)prefill_layer_bytes(work) / bandwidth + of.head_s + of.between_s;
    of.computing_s += of.attention_s + of.operand_s;
    of.total_s = of.gemm_s + of.head_s + of.attention_s + of.operand_s + of.between_s + of.sync_s;
    if (!isfinite(of.total_s))
        of.why = predicting.why
                     ? predicting.why
                     : "beta, the barrier, attention or the operands of its kernel were not measured often enough";
    return of;
}
