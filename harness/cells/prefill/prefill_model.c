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

/** A cell of the sweep; NULL: none. */
static const struct cell *sweep_of(const struct cells *cells, const struct decode_work *work)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        const struct product_cell *gemm = gemm_cell(cell);
        if (gemm && !gemm->schedule && cell->kernel == work->kernel && gemm->m == PREFILL_SWEEP_ROWS * work->threads &&
            gemm->k == PREFILL_SWEEP_K && cell->threads == work->threads && cell->cold)
            return cell;
    }
    return NULL;
}

/** What computing takes goes to *computing_s, as if nothing had to be read. */
static double gemm_time(const struct gemm_model *model, const struct decode_work *work, double bandwidth,
                        double clock_hz, double *computing_s)
{
    double layer_s = 0;
    *computing_s = 0;
    for (int role = 0; role < DECODE_ROLES; role++) {
        size_t m, k;
        decode_shape(&work->model, (enum decode_role)role, &m, &k);
        const struct format *format = work->kernel->format;
        double vectors = (double)format_panels(format, m) * format->rows_per_panel * (double)format_columns(format, k) /
                         VECTOR_WEIGHTS;
        double memory_s = (double)format_packed_bytes(format, m, k) / bandwidth;
        double compute_s = vectors * gemm_computing(&model->fit, (double)work->tokens) / work->threads / clock_hz;
        *computing_s += (double)work->model.layers * compute_s;
        layer_s += overlap_time(memory_s, compute_s, isnan(model->omega) ? 1 : model->omega);
    }
    return (double)work->model.layers * layer_s;
}

static double operand_time(const struct cells *cells, const struct decode_work *work)
{
    const struct model *model = &work->model;
    const size_t lengths[] = {model->hidden, model->hidden, model->heads * model->head_size, model->ffn};
    double layer_s = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        layer_s += prepare_tokens_time(cells, work->kernel, lengths[i], work->tokens);
    return (double)model->layers * layer_s / work->threads;
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
    const struct cell *sweep = sweep_of(cells, work), *roof = beta_roof(cells, "memory", work->threads);
    double clock_hz = summary_stated(summary_clock(cell));
    double bandwidth = roof ? summary_stated(beta_bandwidth(roof)) : (double)NAN;
    struct prefill_prediction of = {.gemm_s = NAN, .computing_s = NAN};
    struct gemm_model model = {.why = "no GEMM of the kernel was measured beside it"};
    if (sweep)
        model = gemm_model(session, cells, sweep);
    if (!model.why)
        of.gemm_s = gemm_time(&model, work, bandwidth, clock_hz, &of.computing_s);
    of.head_s = (double)prefill_head_bytes(work) / bandwidth;
    of.attention_s = (double)(work->model.layers * work->model.kv_heads) *
                     attention_time(cells, &work->model, work->tokens) / work->threads;
    of.operand_s = operand_time(cells, work);
    of.between_s = between_bytes(work) / bandwidth;
    of.sync_s = (double)prefill_pass_joins(&work->model, work->kernel, work->head) * sync_time(cells, work->threads);
    of.read_s = (double)prefill_layer_bytes(work) / bandwidth + of.head_s + of.between_s;
    of.computing_s += of.attention_s + of.operand_s;
    of.total_s = of.gemm_s + of.head_s + of.attention_s + of.operand_s + of.between_s + of.sync_s;
    if (!isfinite(of.total_s))
        of.why = model.why
                     ? model.why
                     : "beta, the barrier, attention or the operands of its kernel were not measured often enough";
    return of;
}
