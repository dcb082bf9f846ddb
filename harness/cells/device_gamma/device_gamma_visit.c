/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/device_gamma/device_gamma.h"
#include "micro/isa/random.h"
#include "results/text/refuse.h"

/** Columns that a work-item multiplies, panels that a unit has of a launch, columns that operands have: more than a piece. */
enum { COLUMNS = 4096, PANELS_A_UNIT = 512, OPERAND_COLUMNS = 1024, RESULT_BYTES = 4 };

bool device_gamma_arrange(const struct device_kernel *kernel, const struct opencl_device *device, size_t variant,
                          struct device_gamma_launch *launch)
{
    const struct format *format = device_kernel_format(kernel);
    const size_t m = (size_t)device_units(device) * PANELS_A_UNIT * format->rows_per_panel;
    if (!device_product_arrange(kernel, device, m, 1, variant, &launch->variant) || launch->variant.split > 1 ||
        launch->variant.staged)
        return false;
    launch->columns = COLUMNS;
    launch->vectors =
        (double)(launch->variant.items / launch->variant.together * format->rows_per_panel) * COLUMNS / 32;
    return true;
}

/** What a bench has of it. */
struct rig {
    const struct device_kernel *of;
    struct device_gamma_launch launch[PRODUCT_VARIANTS];
    void *kernel[PRODUCT_VARIANTS];
    void *weights, *activations, *out;
};

static int run(struct device_bench *bench, size_t v, unsigned launches, struct opencl_series *series)
{
    struct rig *rig = bench->own;
    const struct device_variant *variant = &rig->launch[v].variant;
    const struct opencl_launch launch = {rig->kernel[v], variant->items, variant->group, NULL};
    return opencl_work_launch(&bench->work, &launch, 1, launches, series);
}

/** Weights and activations as products have them; what they are does not matter but to numbers, which must be some. */
static int make_operands(struct device_bench *bench, const struct device_gamma_cell *own, size_t items)
{
    struct rig *rig = bench->own;
    const struct format *format = device_kernel_format(own->kernel);
    const size_t k = format_columns(format, OPERAND_COLUMNS);
    uint64_t random = own->seed | 1;
    uint8_t *panel = malloc(format_panel_bytes(format, k)), activations[4 * OPERAND_COLUMNS];
    if (!panel)
        return -ENOMEM;
    format_fill(format, panel, format_is_uniform(format) ? format_steps(format, k) : 1, k, &random);
    random_bytes(activations, sizeof activations, &random);
    for (size_t i = 0; !format_is_integer(format) && i < OPERAND_COLUMNS; i++)
        memcpy(activations + 4 * i, &(float){random_float(&random)}, 4);
    int error = opencl_work_buffer(&bench->work, format_panel_bytes(format, k), false, &rig->weights);
    if (!error)
        error = opencl_work_write(&bench->work, rig->weights, 0, panel, format_panel_bytes(format, k));
    if (!error)
        error = opencl_work_buffer(&bench->work, sizeof activations, false, &rig->activations);
    if (!error)
        error = opencl_work_write(&bench->work, rig->activations, 0, activations, sizeof activations);
    if (!error)
        error = opencl_work_buffer(&bench->work, items * RESULT_BYTES, false, &rig->out);
    free(panel);
    return error;
}

static int bind(struct device_bench *bench, size_t v)
{
    struct rig *rig = bench->own;
    void *kernel = rig->kernel[v];
    int error = opencl_work_argument(&bench->work, kernel, 0, sizeof rig->weights, &rig->weights);
    if (!error)
        error = opencl_work_argument(&bench->work, kernel, 1, sizeof rig->launch[v].columns, &rig->launch[v].columns);
    if (!error)
        error = opencl_work_argument(&bench->work, kernel, 2, sizeof rig->activations, &rig->activations);
    return error ? error : opencl_work_argument(&bench->work, kernel, 3, sizeof rig->out, &rig->out);
}

/** Work-items that do the same have the same results; the second launch says what one takes. */
static int try_out(struct device_bench *bench, size_t v)
{
    struct rig *rig = bench->own;
    const struct device_gamma_launch *launch = &rig->launch[v];
    const size_t bytes = launch->variant.items * RESULT_BYTES, period = launch->variant.together * RESULT_BYTES;
    struct opencl_series series = {0};
    uint8_t *out = calloc(1, bytes);
    if (!out)
        return -ENOMEM;
    int error = opencl_work_write(&bench->work, rig->out, 0, out, bytes);
    if (!error)
        error = run(bench, v, 1, &series);
    if (!error)
        error = opencl_work_read(&bench->work, rig->out, out, bytes);
    if (!error && memcmp(out, out + period, bytes - period) != 0)
        error = refuse(-EILSEQ, bench->work.why, sizeof bench->work.why,
                       "work-items that do the same have other results, of %s: a fault of the driver or of the device",
                       launch->variant.label);
    if (!error)
        error = run(bench, v, 1, &series);
    free(out);
    bench->ready[v].seconds = series.host_s;
    bench->ready[v].amount = launch->vectors;
    return error;
}

static int open_rig(struct device_bench *bench, const struct cell *cell)
{
    struct rig *rig = bench->own;
    const struct device_gamma_cell *own = device_gamma_cell(cell);
    size_t items = 0;
    rig->of = own->kernel;
    for (size_t v = 0; v < PRODUCT_VARIANTS; v++) {
        struct device_ready *ready = &bench->ready[v];
        ready->can =
            device_gamma_arrange(own->kernel, &bench->work.facts, v, &rig->launch[v]) && device_wants(bench, v);
        if (ready->can && rig->launch[v].variant.items > items)
            items = rig->launch[v].variant.items;
    }
    bench->exact = true;
    return items ? make_operands(bench, own, items) : 0;
}

static int ready(struct device_bench *bench, size_t v)
{
    struct rig *rig = bench->own;
    int error = device_product_compile(rig->of, &bench->work, &rig->launch[v].variant, "micro/opencl/gamma.cl",
                                       "gamma_of", &rig->kernel[v]);
    worker_beat(bench->heart);
    if (!error)
        error = bind(bench, v);
    return error ? error : try_out(bench, v);
}

int device_gamma_visit(struct session *session, struct cell *cell, unsigned count)
{
    struct device_gamma_cell *own = device_gamma_cell(cell);
    const struct device_ops ops = {
        .variants = PRODUCT_VARIANTS, .own = sizeof(struct rig), .open = open_rig, .ready = ready, .run = run};
    own->seed = session_random(session);
    return device_visit(session, cell, count, &ops, own->kernel->name);
}
