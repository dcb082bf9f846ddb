/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/prefill/prefill_needs.h"

#include <errno.h>
#include <stdio.h>

#include "micro/least.h"
#include "platforms/system/host.h"

int prefill_fits(const struct session *session, const struct decode_work *work, size_t layers, size_t *distinct,
                 char *why, size_t size)
{
    const struct model *model = &work->model;
    struct decode_weights_request none = decode_request(work, 0, 1), one = decode_request(work, 1, 1);
    int error = decode_weights_accepted(&one, why, size);
    if (error)
        return error;
    char what[200];
    uint64_t available = host_memory_available(""), head = decode_weights_bytes(&none);
    uint64_t of_none = prefill_pass_bytes(model, work->kernel, work->head, work->tokens, 0, work->threads);
    uint64_t of_one = prefill_pass_bytes(model, work->kernel, work->head, work->tokens, 1, work->threads);
    uint64_t layer = decode_weights_bytes(&one) - head + of_one - of_none;
    size_t lowest =
        work->distinct ? work->distinct : decode_cold_layers(session, work, decode_weights_bytes(&one) - head);
    size_t most = work->distinct ? work->distinct : least(layers > lowest ? layers : lowest, model->layers);
    snprintf(what, sizeof what, "a prompt of %zu tokens through %s with %s", work->tokens, model->name,
             work->kernel->name);
    if (session_memory_fits(head + of_none + lowest * layer, available, what, why, size))
        return -ENOMEM;
    while (most > lowest && session_memory_fits(head + of_none + most * layer, available, what, why, size))
        most--;
    *distinct = most;
    why[0] = 0;
    return 0;
}

static uint64_t packed_bytes(const struct kernel *kernel, size_t m, size_t k)
{
    return format_packed_bytes(kernel->format, m, k);
}

uint64_t prefill_layer_bytes(const struct decode_work *work)
{
    uint64_t bytes = 0;
    for (int role = 0; role < DECODE_ROLES; role++) {
        size_t m, k;
        decode_shape(&work->model, (enum decode_role)role, &m, &k);
        bytes += work->model.layers * packed_bytes(work->kernel, m, k);
    }
    return bytes;
}

uint64_t prefill_head_bytes(const struct decode_work *work)
{
    return packed_bytes(work->head, work->model.vocabulary, work->model.hidden);
}

uint64_t prefill_cache_bytes(const struct decode_work *work)
{
    const struct model *model = &work->model;
    return 2 * sizeof(uint16_t) * model->layers * model->kv_heads * work->tokens * model_head_padded(model);
}

struct cell_cost prefill_cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    const struct decode_work *work = &prefill_cell(cell)->work;
    double weights = (double)prefill_layer_bytes(work) / (double)work->model.layers * 8 / work->kernel->format->bits;
    double layer_s = 1.5 * weights * (double)work->tokens / (50e9 * work->threads);
    double head_s = (double)prefill_head_bytes(work) / 8e9;
    return (struct cell_cost){.once_s = 0.5,
                              .visit_s = 0.3 + 1e-9 * (double)prefill_head_bytes(work),
                              .sample_s = layer_s + head_s +
                                          1e-9 * (double)prefill_layer_bytes(work) / (double)work->model.layers,
                              .bytes = 6000};
}
