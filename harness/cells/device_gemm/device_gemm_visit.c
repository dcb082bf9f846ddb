/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include "harness/cells/device_gemm/device_gemm.h"

/** What a bench has of a product. */
struct rig {
    struct device_product product;
    struct device_variant variant[PRODUCT_VARIANTS];
    struct device_compiled kernel[PRODUCT_VARIANTS];
    uint64_t random;
    struct reference_check check;
};

static int run(struct device_bench *bench, size_t variant, unsigned launches, struct opencl_series *series)
{
    struct rig *rig = bench->own;
    return device_product_launch(&rig->product, &bench->work, &rig->kernel[variant], &rig->variant[variant], launches,
                                 series);
}

static int open_rig(struct device_bench *bench, const struct cell *cell)
{
    struct rig *rig = bench->own;
    const struct device_gemm_cell *own = device_gemm_cell(cell);
    const uint64_t bytes = device_product_bytes(own->kernel, &bench->work.facts, own->shape.m, own->shape.k);
    for (size_t v = 0; v < PRODUCT_VARIANTS; v++)
        bench->ready[v].can = device_product_arrange(own->kernel, &bench->work.facts, own->shape.m,
                                                     device_gemm_tokens(own), v, &rig->variant[v]) &&
                              device_wants(bench, v);
    rig->random = own->seed | 1;
    int error = device_product_open(&rig->product, &bench->work, own->kernel, &own->shape, device_gemm_tokens(own),
                                    bytes, DEVICE_FILL_RANDOM, own->seed);
    worker_beat(bench->heart);
    return error;
}

/** The second launch says what one takes. */
static int ready(struct device_bench *bench, size_t v)
{
    struct rig *rig = bench->own;
    struct opencl_series series = {0};
    int error = device_product_make(rig->product.kernel, &bench->work, &rig->variant[v], &rig->kernel[v]);
    worker_beat(bench->heart);
    if (!error)
        error = device_product_bind(&rig->product, &bench->work, &rig->kernel[v]);
    if (!error)
        error = device_product_try(&rig->product, &bench->work, &rig->kernel[v], &rig->variant[v], &rig->random,
                                   &rig->check);
    if (!error)
        error = run(bench, v, 1, &series);
    bench->ready[v].seconds = series.host_s;
    bench->ready[v].amount = 1;
    bench->exact = reference_is_exact(&rig->check);
    bench->error = reference_error(&rig->check);
    return error;
}

static void release(struct device_bench *bench)
{
    device_product_free(&((struct rig *)bench->own)->product);
}

int device_gemm_visit(struct session *session, struct cell *cell, unsigned count)
{
    struct device_gemm_cell *own = device_gemm_cell(cell);
    const struct device_ops ops = {.variants = PRODUCT_VARIANTS,
                                   .own = sizeof(struct rig),
                                   .open = open_rig,
                                   .ready = ready,
                                   .run = run,
                                   .release = release};
    own->seed = session_random(session);
    return device_visit(session, cell, count, &ops, own->kernel->name);
}
