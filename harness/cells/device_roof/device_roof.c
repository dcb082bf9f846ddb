/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/device_roof/device_roof.h"

#include <errno.h>
#include <stdio.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"

/* ---- which cells ---- */

static bool has(const struct device *device, const struct device_roof *roof)
{
    struct roof_variant arranged;
    for (size_t v = 0; v < roof->variants; v++) {
        if (roof->arrange(&device->facts, v, &arranged))
            return true;
    }
    return false;
}

int device_roof_add(struct cells *cells, const struct device *device, size_t roof)
{
    const struct device_roof *of = &device_roofs[roof];
    struct cell *cell = has(device, of) ? cells_add(cells, &cell_kind_device_roof) : NULL;
    if (!cell)
        return has(device, of) ? -ENOMEM : 0;
    *device_roof_cell(cell) = (struct device_roof_cell){.of.device = device, .roof = of};
    snprintf(cell->name, sizeof cell->name, "device_roof/%s/%s", device->number, of->name);
    return 0;
}

int device_roof_add_all(struct cells *cells, const struct device *device)
{
    int error = 0;
    for (size_t i = 0; !error && i < DEVICE_ROOFS; i++)
        error = device_roof_add(cells, device, i);
    return error;
}

const struct cell *device_roof_find(const struct cells *cells, const struct device *device, size_t roof)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct device_roof_cell *own = device_roof_cell(&cells->cell[i]);
        if (own && own->of.device == device && own->roof == &device_roofs[roof])
            return &cells->cell[i];
    }
    return NULL;
}

static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    static const double slow_memory = 8e9;
    const struct device_roof_cell *own = device_roof_cell(cell);
    const double passes =
        own->roof->unit == ROOF_BYTES ? (double)device_cold_bytes(&own->of.device->facts) / slow_memory : 0;
    return (struct cell_cost){
        .once_s = 0.1 * (double)own->roof->variants, .visit_s = 0.3 + 2 * passes, .sample_s = 25e-3};
}

/* ---- in a characterization of a machine and a device ---- */

static int plan(struct cells *cells, const struct planning *planning)
{
    const struct device *device = planning->session->device;
    return device ? device_roof_add_all(cells, device) : 0;
}

static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    (void)planning;
    const size_t roof = (size_t)(device_roof_cell(cell)->roof - device_roofs);
    return roof == DEVICE_ROOF_READ || roof == DEVICE_ROOF_LAUNCH ? CELL_ROOFS : CELL_CACHES;
}

/* ---- what they say ---- */

struct graded device_roof_rate(const struct cell *cell)
{
    const struct device_roof_cell *own = device_roof_cell(cell);
    struct roof_variant arranged;
    own->roof->arrange(&own->of.device->facts, own->of.variant, &arranged);
    return summary_per_second(cell, arranged.amount);
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)session;
    (void)cells;
    static const struct {
        const char *field, *unit;
    } rates[ROOF_UNITS] = {{"bytes_per_s", "B/s"}, {"operations_per_s", "1/s"}, {NULL, NULL}};
    const struct device_roof_cell *own = device_roof_cell(cell);
    const struct device *device = own->of.device;
    struct roof_variant arranged;
    char name[64];
    own->roof->arrange(&device->facts, own->of.variant, &arranged);
    snprintf(name, sizeof name, "%s/%s", device->number, own->roof->name);
    json_t *record = json_pack("{s:s, s:s, s:s}", "type", "device_roof", "name", name, "roof", own->roof->title);
    device_set_fields(record, cell, arranged.label);
    if (own->roof->fills || !own->roof->source)
        field_set(record, "bytes", json_integer((json_int_t)arranged.amount));
    if (rates[own->roof->unit].field)
        field_set_quantity(record, rates[own->roof->unit].field, device_roof_rate(cell), rates[own->roof->unit].unit);
    return record;
}

const struct cell_kind cell_kind_device_roof = {
    .name = "device_roof",
    .own = sizeof(struct device_roof_cell),
    .never_compared = true,
    .plan = plan,
    .value = value,
    .visit = device_roof_visit,
    .rank = 39,
    .cost = cost,
    .record = record_of,
};
