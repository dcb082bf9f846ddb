/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/fields.h"
#include "harness/cells/device/device_cell.h"
#include "results/records/record.h"

static void set_timers(const struct cell *cell, json_t *record)
{
    const struct device_cell *own = cell->own;
    const bool known = cell->samples.count >= STATS_KEPT_LEAST;
    field_set(record, "profiled", known ? json_pack("[f, f]", own->timers[0], own->timers[1]) : json_null());
    field_set(record, "timers_agree", known ? json_boolean(2 * own->agreed > cell->samples.count) : json_null());
    if (!known)
        field_set_reason(record, "profiled", "fewer than 6 samples");
}

void device_set_fields(json_t *record, const struct cell *cell, const char *variant)
{
    const struct device *device = ((const struct device_cell *)cell->own)->device;
    const char *kind = opencl_kind_word(device->facts.kind);
    field_set(record, "device", json_string(device->number));
    field_set(record, "kind", record_text_or_null(kind ? kind : ""));
    field_set(record, "title", record_text_or_null(device->facts.name));
    field_set(record, "platform", record_text_or_null(device->platform));
    field_set(record, "driver", record_text_or_null(device->facts.driver));
    field_set(record, "variant", json_string(variant));
    field_set(record, "launches", json_integer((json_int_t)cell->repeats));
    field_set_quantity(record, "time_s", summary_time(cell), "s");
    set_timers(cell, record);
}
