/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/device_roof/device_roof.h"

#include <errno.h>
#include <stdio.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"
#include "results/records/record.h"

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

int device_roof_add_all(struct cells *cells, const struct device *device)
{
    for (size_t i = 0; i < DEVICE_ROOFS; i++) {
        if (!has(device, &device_roofs[i]))
            continue;
        struct cell *cell = cells_add(cells, &cell_kind_device_roof);
        if (!cell)
            return -ENOMEM;
        *device_roof_cell(cell) = (struct device_roof_cell){.device = device, .roof = &device_roofs[i]};
        cell->verified = cell->exact = true;
        snprintf(cell->name, sizeof cell->name, "device_roof/%s/%s", device->number, device_roofs[i].name);
    }
    return 0;
}

static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    static const double slow_memory = 8e9;
    const struct device_roof_cell *own = device_roof_cell(cell);
    const double passes =
        own->roof->unit == ROOF_BYTES ? (double)roof_read_bytes(&own->device->facts) / slow_memory : 0;
    return (struct cell_cost){
        .once_s = 0.1 * (double)own->roof->variants, .visit_s = 0.3 + 2 * passes, .sample_s = 25e-3};
}

/* ---- what they say ---- */

static void set_timers(const struct cell *cell, json_t *record)
{
    const struct device_roof_cell *own = device_roof_cell(cell);
    const bool known = cell->samples.count >= STATS_KEPT_LEAST;
    field_set(record, "profiled", known ? json_pack("[f, f]", own->timers[0], own->timers[1]) : json_null());
    field_set(record, "timers_agree", known ? json_boolean(2 * own->agreed > cell->samples.count) : json_null());
    if (!known)
        field_set_reason(record, "profiled", "fewer than 6 samples");
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)session;
    (void)cells;
    static const struct {
        const char *field, *unit;
    } rates[ROOF_UNITS] = {{"bytes_per_s", "B/s"}, {"operations_per_s", "1/s"}, {NULL, NULL}};
    const struct device_roof_cell *own = device_roof_cell(cell);
    const struct device *device = own->device;
    struct roof_variant arranged;
    char name[64];
    own->roof->arrange(&device->facts, own->variant, &arranged);
    snprintf(name, sizeof name, "%s/%s", device->number, own->roof->name);
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:s, s:s?, s:o, s:o, s:o, s:s, s:i}", "type", "device_roof", "name", name, "roof",
                  own->roof->title, "device", device->number, "kind", opencl_kind_word(device->facts.kind), "title",
                  record_text_or_null(device->facts.name), "platform", record_text_or_null(device->platform), "driver",
                  record_text_or_null(device->facts.driver), "variant", arranged.label, "launches", (int)cell->repeats);
    if (own->roof->fills || !own->roof->source)
        field_set(record, "bytes", json_integer((json_int_t)arranged.amount));
    field_set_quantity(record, "time_s", summary_time(cell), "s");
    if (rates[own->roof->unit].field)
        field_set_quantity(record, rates[own->roof->unit].field, summary_per_second(cell, arranged.amount),
                           rates[own->roof->unit].unit);
    set_timers(cell, record);
    return record;
}

/** Not in a characterization: a device never runs unasked. */
const struct cell_kind cell_kind_device_roof = {
    .name = "device_roof",
    .own = sizeof(struct device_roof_cell),
    .never_compared = true,
    .visit = device_roof_visit,
    .rank = 39,
    .cost = cost,
    .record = record_of,
};
