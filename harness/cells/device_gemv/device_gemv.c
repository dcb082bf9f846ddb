/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/device_gemv/device_gemv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/device_roof/device_roof.h"

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

/** What the device reads a second, of the same run; NaN: it is not known. */
static double roof_of(const struct cells *cells, const struct device *device)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct device_roof_cell *roof = device_roof_cell(&cells->cell[i]);
        if (roof && roof->of.device == device && roof->roof == &device_roofs[DEVICE_ROOF_READ])
            return summary_stated(summary_per_second(&cells->cell[i], (double)roof_read_bytes(&device->facts)));
    }
    return NAN;
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
    field_set_number_or_why(record, "roof_fraction", summary_stated(rate) / roof_of(cells, device),
                            "too few samples of it or of the device's memory read were kept");
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
