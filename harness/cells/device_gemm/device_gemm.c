/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/device_gemm/device_gemm.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/device_gamma/device_gamma.h"
#include "harness/cells/device_roof/device_roof.h"
#include "harness/cells/device_roof/roofs.h"
#include "roofline/ebw.h"

int device_gemm_add(struct cells *cells, const struct device *device, const struct device_kernel *kernel,
                    const struct shape *shape, size_t tokens)
{
    struct cell *cell = cells_add(cells, &cell_kind_device_gemm);
    if (!cell)
        return -ENOMEM;
    *device_gemm_cell(cell) =
        (struct device_gemm_cell){.of.device = device, .kernel = kernel, .shape = *shape, .tokens = tokens};
    cell->cold = true;
    snprintf(cell->name, sizeof cell->name, tokens ? "device_gemm/%s/%s/%zux%zux%zu" : "device_gemv/%s/%s/%zux%zu",
             device->number, kernel->name, shape->m, shape->k, tokens);
    return 0;
}

static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    static const double slow_memory = 8e9, slow_multiply = 5e9;
    const struct device_gemm_cell *own = device_gemm_cell(cell);
    const double bytes = (double)device_product_bytes(own->kernel, &own->of.device->facts, own->shape.m, own->shape.k);
    const double once_s = (double)own->shape.m * (double)own->shape.k * (double)own->tokens / slow_multiply;
    return (struct cell_cost){.once_s = (0.3 + 4 * once_s) * PRODUCT_VARIANTS,
                              .visit_s = 0.5 + 2 * bytes / slow_memory,
                              .sample_s = 25e-3 + once_s};
}

/* ---- the model ---- */

size_t device_gemm_roof(const struct device_kernel *kernel)
{
    if (device_kernel_macro(kernel, "ACTIVATION_BITS", 0))
        return DEVICE_ROOFS;
    return format_is_integer(device_kernel_format(kernel)) ? DEVICE_ROOF_INT8_DOT : DEVICE_ROOF_FMA_F32;
}

/** What a roof of the run attains a second; NaN: not measured, or not often enough. */
static double roof_rate(const struct cells *cells, const struct device *device, size_t roof)
{
    const struct cell *cell = roof < DEVICE_ROOFS ? device_roof_find(cells, device, roof) : NULL;
    return cell ? summary_stated(device_roof_rate(cell)) : NAN;
}

/** The terms of T = max(Tm, Tc) + launch, from other cells of the run, s. */
struct model {
    double memory_s, compute_s, launch_s;
};

static struct model model_of(const struct cells *cells, const struct device_gemm_cell *own)
{
    const struct device *device = own->of.device;
    const struct format *format = device_kernel_format(own->kernel);
    const struct shape *shape = &own->shape;
    const double bytes = (double)format_packed_bytes(format, shape->m, shape->k),
                 vectors = (double)(format_panels(format, shape->m) * format->rows_per_panel) *
                           (double)format_columns(format, shape->k) / 32,
                 operations = 2 * (double)shape->m * (double)shape->k * (double)own->tokens;
    return (struct model){
        .memory_s = bytes / roof_rate(cells, device, DEVICE_ROOF_READ),
        .compute_s = own->tokens ? operations / roof_rate(cells, device, device_gemm_roof(own->kernel))
                                 : device_gamma_of(cells, device, own->kernel) * vectors / device_units(&device->facts),
        .launch_s = 1 / roof_rate(cells, device, DEVICE_ROOF_LAUNCH),
    };
}

static const char lacks[] = "too few samples of it, of the device's roofs or of its gamma were kept";

static void set_terms(json_t *record, const struct model *model, double longer_s, const char *why)
{
    field_set_number_or_why(record, "memory_s", model->memory_s, lacks);
    field_set_number_or_why(record, "compute_s", model->compute_s, why);
    field_set_number_or_why(record, "launch_s", model->launch_s, lacks);
    field_set_number_or_why(record, "predicted_s", longer_s + model->launch_s, why);
}

/** What follows from what was measured beside it. */
static void set_model(json_t *record, const struct cells *cells, const struct cell *cell)
{
    const struct device_gemm_cell *own = device_gemm_cell(cell);
    const struct model model = model_of(cells, own);
    const double time_s = summary_stated(summary_time(cell));
    const bool known = isfinite(model.memory_s) && isfinite(model.compute_s);
    const double longer_s = known ? fmax(model.memory_s, model.compute_s) : NAN;
    const char *why = own->tokens && device_gemm_roof(own->kernel) == DEVICE_ROOFS
                          ? "no roof of multiplied bits is measured on a device"
                          : lacks;
    set_terms(record, &model, longer_s, why);
    field_set_number_or_why(record, "roof_fraction", (own->tokens ? longer_s : model.memory_s) / time_s, why);
    if (!own->tokens)
        field_set_number_or_why(record, "omega",
                                roofline_overlap(time_s - model.launch_s, model.memory_s, model.compute_s),
                                isnan(longer_s + model.launch_s + time_s)
                                    ? lacks
                                    : "the shorter of reading and computing is under 2% of the longer");
    field_set(record, "binds",
              !known                              ? json_null()
              : model.launch_s > longer_s         ? json_string("launch")
              : model.memory_s >= model.compute_s ? json_string("memory")
                                                  : json_string(own->tokens ? "multiply" : "up-convert"));
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)session;
    const struct device_gemm_cell *own = device_gemm_cell(cell);
    const struct device *device = own->of.device;
    const struct format *format = device_kernel_format(own->kernel);
    const size_t m = own->shape.m, k = own->shape.k;
    const double bytes = (double)format_packed_bytes(format, m, k);
    struct device_variant variant;
    device_product_arrange(own->kernel, &device->facts, m, device_gemm_tokens(own), own->of.variant, &variant);
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:f, s:b, s:f}", "type",
                  own->tokens ? "device_gemm" : "device_gemv", "name", strchr(cell->name, '/') + 1, "kernel",
                  own->kernel->name, "format", format->name, "m", (json_int_t)m, "k", (json_int_t)k, "bytes",
                  (json_int_t)bytes, "bits", format->bits, "exact", cell->exact, "error", cell->error);
    device_set_fields(record, cell, variant.label);
    field_set_quantity(record, "bytes_per_s", summary_per_second(cell, bytes), "B/s");
    if (own->tokens) {
        field_set(record, "n", json_integer((json_int_t)own->tokens));
        field_set_quantity(record, "operations_per_s",
                           summary_per_second(cell, 2 * (double)m * (double)k * (double)own->tokens), "1/s");
    }
    set_model(record, cells, cell);
    return record;
}

/* ---- in a characterization of a machine and a device ---- */

enum { REFERENCE = 4096, PROMPT = 64 };

/** All kernels on the reference shape, and on those that papers time the ones that their figures of GPUs have. */
static bool is_planned(const struct device *device, const struct device_kernel *kernel, const struct shape *shape)
{
    static const char *const drawn[] = {"f16.rows.opencl", "int8_vnni4.dot.opencl", "int2_vnni16.fused.opencl"};
    bool wanted = shape->m == REFERENCE && shape->k == REFERENCE;
    char why[128];
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        wanted |= shape->timed_by[0] && strcmp(kernel->name, drawn[i]) == 0;
    return wanted && !format_accepts(device_kernel_format(kernel), shape->m, shape->k, why, sizeof why) &&
           device_product_bytes(kernel, &device->facts, shape->m, shape->k) > 0;
}

static int plan(struct cells *cells, const struct planning *planning)
{
    const struct device *device = planning->session->device;
    int error = 0;
    for (size_t s = 0; device && s < planning->shape_count; s++) {
        const struct shape *shape = &planning->shapes[s];
        for (const struct device_kernel *kernel = device_kernels; !error && kernel->name; kernel++) {
            if (!is_planned(device, kernel, shape))
                continue;
            error = device_gemm_add(cells, device, kernel, shape, 0);
            if (!error && shape->m == REFERENCE && shape->k == REFERENCE)
                error = device_gemm_add(cells, device, kernel, shape, PROMPT);
        }
    }
    return error;
}

static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    (void)planning;
    const struct device_gemm_cell *own = device_gemm_cell(cell);
    return own->tokens                                              ? CELL_GEMM
           : own->shape.m == REFERENCE && own->shape.k == REFERENCE ? CELL_CALIBRATION
                                                                    : CELL_MODELS;
}

const struct cell_kind cell_kind_device_gemm = {
    .name = "device_gemm",
    .own = sizeof(struct device_gemm_cell),
    .never_compared = true,
    .plan = plan,
    .value = value,
    .visit = device_gemm_visit,
    .rank = 40,
    .cost = cost,
    .record = record_of,
};
