/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/device_gamma/device_gamma.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "harness/cells/cell/fields.h"

int device_gamma_add(struct cells *cells, const struct device *device, const struct device_kernel *kernel)
{
    struct cell *cell = cells_add(cells, &cell_kind_device_gamma);
    if (!cell)
        return -ENOMEM;
    *device_gamma_cell(cell) = (struct device_gamma_cell){.of.device = device, .kernel = kernel};
    snprintf(cell->name, sizeof cell->name, "device_gamma/%s/%s", device->number, kernel->name);
    return 0;
}

static bool vector_time(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    const struct device_gamma_cell *own = device_gamma_cell(cell);
    const struct opencl_device *facts = &own->of.device->facts;
    struct device_gamma_launch launch;
    device_gamma_arrange(own->kernel, facts, own->of.variant, &launch);
    bool kept = summary_time_of(cell, i, value, grade);
    *value *= device_units(facts) / launch.vectors;
    return kept;
}

struct graded device_gamma_vector(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, false, vector_time);
}

double device_gamma_of(const struct cells *cells, const struct device *device, const struct device_kernel *kernel)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct device_gamma_cell *own = device_gamma_cell(&cells->cell[i]);
        if (own && own->of.device == device && own->kernel == kernel)
            return summary_stated(device_gamma_vector(&cells->cell[i]));
    }
    return NAN;
}

static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    (void)cell;
    return (struct cell_cost){.once_s = 1.5, .visit_s = 0.3, .sample_s = 25e-3};
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)session;
    (void)cells;
    const struct device_gamma_cell *own = device_gamma_cell(cell);
    const struct device *device = own->of.device;
    const struct format *format = device_kernel_format(own->kernel);
    const double vector_s = summary_stated(device_gamma_vector(cell)), bytes = 4 * format->bits;
    struct device_gamma_launch launch;
    char name[192];
    device_gamma_arrange(own->kernel, &device->facts, own->of.variant, &launch);
    snprintf(name, sizeof name, "%s/%s", device->number, own->kernel->name);
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:s, s:f, s:i}", "type", "device_gamma", "name", name, "kernel", own->kernel->name,
                  "format", format->name, "bytes_per_vector", bytes, "units", (int)device->facts.compute_units);
    device_set_fields(record, cell, launch.variant.label);
    field_set_quantity(record, "vector_s", device_gamma_vector(cell), "s");
    field_set_number_or_why(record, "knee_bytes_per_s", device->facts.compute_units * bytes / vector_s,
                            device->facts.compute_units ? "fewer than 6 samples were kept"
                                                        : "the driver does not say how many compute units there are");
    return record;
}

/** In a characterization of a machine and a device: of every kernel. */
static int plan(struct cells *cells, const struct planning *planning)
{
    const struct device *device = planning->session->device;
    int error = 0;
    for (const struct device_kernel *kernel = device_kernels; device && !error && kernel->name; kernel++)
        error = device_gamma_add(cells, device, kernel);
    return error;
}

static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    (void)planning;
    (void)cell;
    return CELL_GAMMA;
}

const struct cell_kind cell_kind_device_gamma = {
    .name = "device_gamma",
    .own = sizeof(struct device_gamma_cell),
    .never_compared = true,
    .plan = plan,
    .value = value,
    .visit = device_gamma_visit,
    .rank = 40,
    .cost = cost,
    .record = record_of,
};
