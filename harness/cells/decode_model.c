/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/decode_model.h"

#include <math.h>

#include "harness/cells/beta.h"
#include "harness/cells/gemv_model.h"
#include "harness/cells/prepare.h"
#include "harness/cells/sync.h"

static double gemv_time(const struct session *session, const struct cells *cells, const struct gemv_work *work,
                        double clock_hz, const char **why)
{
    struct gemv_model model = gemv_model_of(session, cells, work, clock_hz);
    if (model.why && !*why)
        *why = model.why;
    return model.overlap_s - model.sync_s;
}

/** Quantization and operand of each vector of a layer that matrices read, and of the head's. */
static double operand_time(const struct cells *cells, const struct decode_work *work)
{
    const struct model *model = &work->model;
    double layer_s = 2 * prepare_time(cells, work->kernel, model->hidden) +
                     prepare_time(cells, work->kernel, model->heads * model->head_size) +
                     prepare_time(cells, work->kernel, model->ffn);
    return (double)model->layers * layer_s + prepare_time(cells, work->head, model->hidden);
}

struct decode_prediction decode_predict(const struct session *session, const struct cells *cells,
                                        const struct cell *cell)
{
    const struct decode_cell *own = decode_cell(cell);
    const struct decode_work *work = &own->work;
    double clock_hz = summary_stated(summary_clock(cell));
    struct decode_prediction prediction = {.why = NULL};
    for (int role = 0; role < DECODE_ROLES; role++) {
        struct gemv_work of = {.kernel = work->kernel, .threads = work->threads, .cold = true};
        decode_shape(&work->model, (enum decode_role)role, &of.m, &of.k);
        prediction.gemv_s += (double)work->model.layers * gemv_time(session, cells, &of, clock_hz, &prediction.why);
    }
    const struct gemv_work head = {.kernel = work->head,
                                   .m = work->model.vocabulary,
                                   .k = work->model.hidden,
                                   .threads = work->threads,
                                   .cold = true};
    prediction.head_s = gemv_time(session, cells, &head, clock_hz, &prediction.why);
    const struct cell *roof = beta_roof(cells, "memory", work->threads);
    prediction.attention_s = roof ? (double)own->cache_bytes / summary_stated(beta_bandwidth(roof)) : (double)NAN;
    prediction.operand_s = operand_time(cells, work);
    prediction.sync_s = own->joins ? (double)own->joins * sync_time(cells, work->threads) : (double)NAN;
    prediction.total_s =
        prediction.gemv_s + prediction.head_s + prediction.attention_s + prediction.operand_s + prediction.sync_s;
    if (own->schedule) {
        prediction.total_s = prediction.gemv_s = prediction.head_s = NAN;
        prediction.why = "the model is of equal shares";
        return prediction;
    }
    if (isfinite(prediction.total_s))
        prediction.why = NULL;
    else if (!prediction.why)
        prediction.why = "beta, the barrier or the operands of its kernels were not measured often enough";
    return prediction;
}
