/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/device_gemv/device_gemv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/device_gamma/device_gamma.h"
#include "harness/cells/device_roof/device_roof.h"
#include "roofline/ebw.h"

int device_gemv_add(struct cells *cells, const struct device *device, const struct device_kernel *kernel,
                    const struct shape *shape)
{
    struct cell *cell = cells_add(cells, &cell_kind_device_gemv);
    if (!cell)
        return -ENOMEM;
    *device_gemv_cell(cell) =
        (struct device_gemv_cell){.of.device = device, .kernel = kernel, .m = shape->m, .k = shape->k};
    cell->cold = true;
    snprintf(cell->name, sizeof cell->name, "device_gemv/%s/%s/%zux%zu", device->number, kernel->name, shape->m,
             shape->k);
    return 0;
}

static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    static const double slow_memory = 8e9;
    const struct device_gemv_cell *own = device_gemv_cell(cell);
    const double bytes = (double)device_product_bytes(own->kernel, &own->of.device->facts, own->m, own->k);
    return (struct cell_cost){
        .once_s = 0.3 * PRODUCT_VARIANTS, .visit_s = 0.5 + 2 * bytes / slow_memory, .sample_s = 25e-3};
}

/** The terms of T = max(Tm, Tc) + launch, from other cells of the run, s; NaN: not measured, or not often enough. */
struct model {
    double memory_s, compute_s, launch_s;
};

static struct model model_of(const struct cells *cells, const struct device_gemv_cell *own)
{
    const struct device *device = own->of.device;
    const struct opencl_device *facts = &device->facts;
    const struct format *format = device_kernel_format(own->kernel);
    const double bytes = (double)format_packed_bytes(format, own->m, own->k),
                 vectors = (double)(format_panels(format, own->m) * format->rows_per_panel) *
                           (double)format_columns(format, own->k) / 32;
    const struct cell *read = device_roof_find(cells, device, DEVICE_ROOF_READ),
                      *launch = device_roof_find(cells, device, DEVICE_ROOF_LAUNCH);
    return (struct model){
        .memory_s = read ? bytes / summary_stated(summary_per_second(read, (double)device_cold_bytes(facts))) : NAN,
        .compute_s = device_gamma_of(cells, device, own->kernel) * vectors / device_units(facts),
        .launch_s = launch ? summary_stated(summary_time(launch)) : NAN,
    };
}

/** What follows from what was measured beside it. */
static void set_model(json_t *record, const struct cells *cells, const struct cell *cell)
{
    static const char lacks[] = "too few samples of it, of the device's roofs or of its gamma were kept";
    const struct model model = model_of(cells, device_gemv_cell(cell));
    const double time_s = summary_stated(summary_time(cell));
    const bool known = isfinite(model.memory_s) && isfinite(model.compute_s);
    const double longer_s = known ? fmax(model.memory_s, model.compute_s) : NAN;
    field_set_number_or_why(record, "roof_fraction", model.memory_s / time_s, lacks);
    field_set_number_or_why(record, "memory_s", model.memory_s, lacks);
    field_set_number_or_why(record, "compute_s", model.compute_s, lacks);
    field_set_number_or_why(record, "launch_s", model.launch_s, lacks);
    field_set_number_or_why(record, "predicted_s", longer_s + model.launch_s, lacks);
    field_set_number_or_why(record, "omega", roofline_overlap(time_s - model.launch_s, model.memory_s, model.compute_s),
                            isnan(longer_s + model.launch_s + time_s)
                                ? lacks
                                : "the shorter of reading and computing is under 2% of the longer");
    field_set(record, "binds",
              !known                              ? json_null()
              : model.launch_s > longer_s         ? json_string("launch")
              : model.memory_s >= model.compute_s ? json_string("memory")
                                                  : json_string("up-convert"));
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)session;
    const struct device_gemv_cell *own = device_gemv_cell(cell);
    const struct device *device = own->of.device;
    const struct format *format = device_kernel_format(own->kernel);
    const double bytes = (double)format_packed_bytes(format, own->m, own->k);
    const struct graded rate = summary_per_second(cell, bytes);
    struct device_variant variant;
    char name[192];
    device_product_arrange(own->kernel, &device->facts, own->m, own->of.variant, &variant);
    snprintf(name, sizeof name, "%s/%s/%zux%zu", device->number, own->kernel->name, own->m, own->k);
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:f, s:b, s:f}", "type", "device_gemv", "name", name, "kernel",
                  own->kernel->name, "format", format->name, "m", (json_int_t)own->m, "k", (json_int_t)own->k, "bytes",
                  (json_int_t)bytes, "bits", format->bits, "exact", cell->exact, "error", cell->error);
    device_set_fields(record, cell, variant.label);
    field_set_quantity(record, "bytes_per_s", rate, "B/s");
    set_model(record, cells, cell);
    return record;
}

/** Not in a characterization: a device never runs unasked. */
const struct cell_kind cell_kind_device_gemv = {
    .name = "device_gemv",
    .own = sizeof(struct device_gemv_cell),
    .never_compared = true,
    .visit = device_gemv_visit,
    .rank = 40,
    .cost = cost,
    .record = record_of,
};
