/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/prefill/prefill_needs.h"

#include <errno.h>
#include <stdio.h>

#include "micro/least.h"
#include "platforms/system/host.h"

/** Bytes of a visit whose weights are those of this many layers. */
static uint64_t visit_bytes(const struct decode_work *work, const struct decode_kernels *kernels, size_t distinct)
{
    struct decode_weights_request request = decode_request(work, distinct, 1);
    return decode_weights_bytes(&request) +
           prefill_pass_bytes(&work->model, kernels, work->tokens, distinct, work->threads);
}

int prefill_fits(const struct session *session, const struct decode_work *work, size_t layers, size_t *distinct,
                 char *why, size_t size)
{
    const struct model *model = &work->model;
    struct decode_weights_request all = decode_request(work, model->layers, 1);
    struct decode_kernels kernels;
    int error = decode_weights_accepted(&all, why, size);
    if (error)
        return error;
    if (decode_kernels_of(&all, &kernels))
        return decode_refuse_kernels(model, why, size);
    static const char less[] = "a shorter prompt (--prefill) or a smaller model";
    char what[200];
    uint64_t available = host_memory_available("");
    size_t cold = decode_cold_layers(session, work, prefill_layer_bytes(work) / model->layers);
    size_t lowest = work->distinct ? work->distinct : cold;
    size_t most = work->distinct ? work->distinct : least(layers > lowest ? layers : lowest, model->layers);
    snprintf(what, sizeof what, "a prompt of %zu tokens through %s with %s", work->tokens, model->name,
             work->kernel->name);
    if (session_memory_fits_or(visit_bytes(work, &kernels, lowest), available, what, less, why, size))
        return -ENOMEM;
    while (most > lowest && session_memory_fits_or(visit_bytes(work, &kernels, most), available, what, less, why, size))
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
    for (size_t i = 0; i < work->model.layers * DECODE_ROLES; i++) {
        size_t m, k;
        int role = (int)(i % DECODE_ROLES);
        decode_shape(&work->model, role, &m, &k);
        bytes += packed_bytes(decode_kernel_at(work, i / DECODE_ROLES, role), m, k);
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
    const struct prefill_cell *own = prefill_cell(cell);
    const struct decode_work *work = &own->work;
    double kinds = 0;
    for (size_t layer = 0; layer < work->model.layers; layer++)
        kinds += own->kind[layer] == layer;
    double layer_bytes = kinds * (double)prefill_layer_bytes(work) / (double)work->model.layers;
    double weights = layer_bytes * 8 / work->kernel->format->bits;
    double layer_s = 1.5 * weights * (double)work->tokens / (50e9 * work->threads);
    double head_s = (double)prefill_head_bytes(work) / 8e9;
    return (struct cell_cost){.once_s = 0.5,
                              .visit_s = 0.3 + 1e-9 * (double)prefill_head_bytes(work),
                              .sample_s = layer_s + head_s + 1e-9 * layer_bytes,
                              .bytes = 6000};
}
