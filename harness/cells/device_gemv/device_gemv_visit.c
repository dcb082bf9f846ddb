/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include "harness/cells/device_gemv/device_gemv.h"
#include "results/text/refuse.h"

/** What a bench has of a product. */
struct rig {
    struct device_product product;
    struct device_variant variant[PRODUCT_VARIANTS];
    void *kernel[PRODUCT_VARIANTS];
};

static int run(struct device_bench *bench, size_t variant, unsigned launches, struct opencl_series *series)
{
    struct rig *rig = bench->own;
    return device_product_launch(&rig->product, &bench->work, rig->kernel[variant], &rig->variant[variant], launches,
                                 series);
}

/** Compile it and see that it is right; the second launch says what one takes. */
static int ready(struct device_bench *bench, size_t v, uint64_t *random, struct reference_check *check)
{
    struct rig *rig = bench->own;
    struct opencl_series series = {0};
    int error = device_product_compile(rig->product.kernel, &bench->work, &rig->variant[v], "micro/opencl/gemv.cl",
                                       "gemv", &rig->kernel[v]);
    worker_beat(bench->heart);
    if (!error)
        error = device_product_bind(&rig->product, &bench->work, rig->kernel[v]);
    if (!error)
        error = device_product_try(&rig->product, &bench->work, rig->kernel[v], &rig->variant[v], random, check);
    if (!error)
        error = run(bench, v, 1, &series);
    worker_beat(bench->heart);
    bench->ready[v] = (struct device_ready){!error, series.host_s, 1};
    return error;
}

static int prepare(struct device_bench *bench, const struct cell *cell)
{
    struct rig *rig = bench->own;
    const struct device_gemv_cell *own = device_gemv_cell(cell);
    const uint64_t bytes = device_product_bytes(own->kernel, &bench->work.facts, own->m, own->k);
    struct reference_check check = {0};
    uint64_t random = own->seed | 1;
    bool any = false;
    int error = device_product_open(&rig->product, &bench->work, own->kernel, own->m, own->k, bytes, DEVICE_FILL_RANDOM,
                                    own->seed);
    worker_beat(bench->heart);
    for (size_t v = 0; !error && v < PRODUCT_VARIANTS; v++) {
        if (!device_product_arrange(own->kernel, &bench->work.facts, own->m, v, &rig->variant[v]) ||
            !device_wants(bench, v))
            continue;
        any = true;
        error = ready(bench, v, &random, &check);
    }
    bench->exact = reference_is_exact(&check);
    bench->error = reference_error(&check);
    return error || any
               ? error
               : refuse(-ENOTSUP, bench->work.why, sizeof bench->work.why, "the device has none of its variants");
}

static void release(struct device_bench *bench)
{
    device_product_free(&((struct rig *)bench->own)->product);
}

int device_gemv_visit(struct session *session, struct cell *cell, unsigned count)
{
    struct device_gemv_cell *own = device_gemv_cell(cell);
    const struct device_ops ops = {
        .variants = PRODUCT_VARIANTS, .own = sizeof(struct rig), .prepare = prepare, .run = run, .release = release};
    own->seed = session_random(session);
    return device_visit(session, cell, count, &ops, own->kernel->name);
}
