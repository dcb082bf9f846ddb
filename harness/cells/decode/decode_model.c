/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/decode/decode_model.h"

#include <math.h>

#include "harness/cells/decode/pass_model.h"
#include "harness/cells/gemv/gemv_model.h"
#include "harness/cells/layer/layer.h"
#include "harness/cells/prepare/prepare.h"
#include "harness/cells/sync/sync.h"
#include "harness/decode/shared_operand.h"
#include "roofline/overlap.h"

/** What all matrices of a pass have in common. */
struct predicting {
    const struct session *session;
    const struct cells *cells;
    unsigned threads;
    double clock_hz, bytes_per_s; /* of the pass, and of the roof beside it */
    const char *why;              /* the first reason */
};

static double gemv_time(struct predicting *predicting, const struct kernel *kernel, size_t m, size_t k)
{
    const struct product_work work = {.kernel = kernel, .m = m, .k = k, .threads = predicting->threads, .cold = true};
    double shared_s = (double)format_packed_bytes(kernel->format, m, k) / predicting->bytes_per_s;
    if (decode_is_read(kernel))
        return shared_s;
    struct gemv_model model = gemv_model_of(predicting->session, predicting->cells, &work, predicting->clock_hz);
    if (model.why && !predicting->why)
        predicting->why = model.why;
    return overlap_team_time(predicting->threads, shared_s, model.memory_s, model.compute_s, model.omega) +
           model.start_s - model.sync_s;
}

/** Of all layers; where they are alike, the first one's times their number. */
static double gemvs_time(struct predicting *predicting, const struct decode_work *work)
{
    bool differ = work->given && work->given->kernel;
    size_t layers = differ ? work->model.layers : 1;
    double seconds = 0;
    for (size_t i = 0; i < layers * DECODE_ROLES; i++) {
        size_t m, k;
        decode_shape(&work->model, (int)(i % DECODE_ROLES), &m, &k);
        seconds += gemv_time(predicting, decode_kernel_at(work, i / DECODE_ROLES, (int)(i % DECODE_ROLES)), m, k);
    }
    return (double)work->model.layers / (double)layers * seconds;
}

/** The operands of a group's vector in one layer: of each kernel that reads it once. */
static double group_time(const struct cells *cells, const struct decode_work *work, size_t layer,
                         enum decode_group group, size_t k)
{
    struct shared_operand seen[DECODE_ROLES];
    struct shared_operands operands = {.seen = seen};
    double seconds = 0;
    for (int role = 0; role < DECODE_ROLES; role++) {
        const struct kernel *kernel = decode_kernel_at(work, layer, role);
        if (decode_group_of(role) == group && shared_operands_add(&operands, group, kernel))
            seconds += prepare_time(cells, kernel, k);
    }
    return seconds;
}

/** Quantization and operand of each vector of a layer that matrices read, and of the head's. */
static double operand_time(const struct cells *cells, const struct decode_work *work)
{
    const struct model *model = &work->model;
    size_t layers = work->given && work->given->kernel ? model->layers : 1;
    double seconds = 0;
    for (size_t layer = 0; layer < layers; layer++)
        seconds += group_time(cells, work, layer, DECODE_GROUP_ATTENTION, model->hidden) +
                   group_time(cells, work, layer, DECODE_GROUP_FFN, model->hidden) +
                   group_time(cells, work, layer, DECODE_GROUP_O, model->heads * model->head_size) +
                   group_time(cells, work, layer, DECODE_GROUP_DOWN, model->ffn);
    return (double)model->layers / (double)layers * seconds +
           prepare_time(cells, decode_kernel_at(work, 0, DECODE_ROLES), model->hidden);
}

/** Attention of all layers and users. */
static double attention_time_of(const struct predicting *predicting, const struct decode_cell *own)
{
    const struct decode_work *work = &own->work;
    const struct layer_attention_constants of =
        layer_attention_constants(predicting->session, predicting->cells, &work->model, work->cache);
    const double positions = (double)(work->model.layers * work->model.kv_heads *
                                      decode_lengths_sum(&work->context, decode_work_given(work))),
                 bytes = (double)own->cache_bytes;
    return overlap_team_time(work->threads, bytes / predicting->bytes_per_s, bytes / work->threads / of.bytes_per_s,
                             positions / work->threads * of.position_s, of.omega);
}

/** A step of so many layers, dealt to the team or to one member. */
static double step_time(const struct predicting *predicting, const struct decode_work *work, enum layer_step step)
{
    return layer_time(predicting->session, predicting->cells, &work->model, work->cache, step) *
           (double)decode_work_given(work);
}

/** Norms of a token: two of each layer, those of models that have more by their length, and the last. */
static double norm_time(const struct predicting *predicting, const struct decode_work *work)
{
    const struct model *model = &work->model;
    const double sub = model->sub_norms ? (double)(model->heads * model->head_size + model->ffn) : 0,
                 vectors = (double)model->layers * (2 + sub / (double)model->hidden) + 1;
    return vectors * step_time(predicting, work, LAYER_STEP_NORM) / (work->users ? work->threads : 1);
}

/** Of a batch the products are GEMMs. */
static struct decode_prediction predict_products(struct predicting *predicting, const struct cell *cell)
{
    const struct decode_work *work = &decode_cell(cell)->work;
    if (!work->users)
        return (struct decode_prediction){.gemv_s = gemvs_time(predicting, work),
                                          .head_s = gemv_time(predicting, decode_kernel_at(work, 0, DECODE_ROLES),
                                                              work->model.vocabulary, work->model.hidden),
                                          .operand_s = operand_time(predicting->cells, work)};
    const struct pass_products products =
        pass_products(predicting->session, predicting->cells, cell, work, predicting->bytes_per_s);
    predicting->why = products.why;
    return (struct decode_prediction){.gemv_s = products.layers_s,
                                      .head_s = products.head_s,
                                      .operand_s = pass_operand_time(predicting->cells, work),
                                      .computing_s = products.computing_s};
}

struct decode_prediction decode_predict(const struct session *session, const struct cells *cells,
                                        const struct cell *cell)
{
    const struct decode_cell *own = decode_cell(cell);
    const struct decode_work *work = &own->work;
    struct predicting predicting = {.session = session,
                                    .cells = cells,
                                    .threads = work->threads,
                                    .clock_hz = summary_stated(summary_clock(cell)),
                                    .bytes_per_s = summary_stated(decode_roof(cell))};
    struct decode_prediction prediction = predict_products(&predicting, cell);
    const double layers_of_member = (double)work->model.layers / work->threads;
    prediction.attention_s = attention_time_of(&predicting, own);
    prediction.norm_s = norm_time(&predicting, work);
    prediction.rope_s = layers_of_member * step_time(&predicting, work, LAYER_STEP_ROPE);
    prediction.gate_s = layers_of_member * step_time(&predicting, work, LAYER_STEP_GATE);
    prediction.sync_s = own->joins ? (double)own->joins * sync_time(cells, work->threads) : (double)NAN;
    prediction.read_s = (double)(own->layer_bytes + own->head_bytes + own->cache_bytes) / predicting.bytes_per_s;
    prediction.computing_s += prediction.operand_s + prediction.norm_s + prediction.rope_s + prediction.gate_s;
    prediction.total_s = prediction.gemv_s + prediction.head_s + prediction.attention_s + prediction.operand_s +
                         prediction.norm_s + prediction.rope_s + prediction.gate_s + prediction.sync_s;
    if (own->schedule) {
        prediction.total_s = prediction.gemv_s = prediction.head_s = NAN;
        prediction.why = "the model covers only equal shares";
    } else if (!isfinite(prediction.total_s)) {
        prediction.why = predicting.why ? predicting.why
                                        : "the roof beside it, its clock, the barrier, the operands of its kernels or "
                                          "what lies between the matrices were not measured often enough";
    }
    return prediction;
}
