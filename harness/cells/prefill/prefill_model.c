/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/prefill/prefill_model.h"

#include <math.h>

#include "harness/cells/attention/attention.h"
#include "harness/cells/beta/beta.h"
#include "harness/cells/decode/pass_model.h"
#include "harness/cells/prefill/prefill_needs.h"
#include "harness/cells/sync/sync.h"

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
    const struct pass_products products = pass_products(session, cells, cell, work, bandwidth);
    struct prefill_prediction of = {
        .gemm_s = products.layers_s, .head_s = products.head_s, .computing_s = products.computing_s};
    of.attention_s = (double)(work->model.layers * work->model.kv_heads) *
                     attention_time(cells, &work->model, work->tokens) / work->threads;
    of.operand_s = pass_operand_time(cells, work);
    of.between_s = between_bytes(work) / bandwidth;
    const struct decode_weights_request request = decode_request(work, work->model.layers, 1);
    of.sync_s = (double)prefill_pass_joins(&request) * sync_time(cells, work->threads);
    of.read_s = (double)prefill_layer_bytes(work) / bandwidth + of.head_s + of.between_s;
    of.computing_s += of.attention_s + of.operand_s;
    of.total_s = of.gemm_s + of.head_s + of.attention_s + of.operand_s + of.between_s + of.sync_s;
    if (!isfinite(of.total_s))
        of.why = products.why
                     ? products.why
                     : "beta, the barrier, attention or the operands of its kernel were not measured often enough";
    return of;
}
