/* SPDX-License-Identifier: BSD-3-Clause */

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/roof_paired.h"
#include "harness/cells/product/best_peer.h"
#include "harness/cells/product/product_schedule_record.h"
#include "harness/cells/product/product_summary.h"
#include "micro/format_kind.h"

json_t *product_record_named(const char *type, const struct cell *cell)
{
    const struct kernel *kernel = cell->kernel;
    const struct product_cell *own = product_cell(cell);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:f}", "type", type, "name", kernel->name, "format",
                     kernel->format->name, "sequence", kernel->sequence, "isa", kernel->isa, "origin", kernel->origin,
                     "bits", format_bits_per_weight(kernel->format, own->m, own->k));
}

json_t *product_record_begin(const struct session *session, const struct cell *cell)
{
    const struct product_cell *own = product_cell(cell);
    json_t *record = product_record_named(cell->kind->name, cell);
    json_t *what =
        json_pack("{s:f, s:s, s:o, s:o, s:I, s:I, s:I, s:i, s:s, s:s, s:I}", "format_bits", cell->kernel->format->bits,
                  "format_kind", format_kind_name(format_kind(cell->kernel->format)), "models",
                  field_names(own->models), "roles", field_names(own->roles), "m", (json_int_t)own->m, "k",
                  (json_int_t)own->k, "n", (json_int_t)(own->tokens ? own->tokens : 1), "threads", (int)cell->threads,
                  "protocol", cell->cold ? "cold" : "warm", "level", product_level(session, cell), "packed_bytes",
                  (json_int_t)product_packed_bytes(cell));
    json_object_update(record, what);
    json_decref(what);
    return record;
}

void product_record_roof(json_t *record, const struct session *session, const struct cell *cell)
{
    const struct product_cell *own = product_cell(cell);
    if (!cell->cold) {
        field_set(record, "roof_fraction", json_null());
        field_set(record, "roof_fraction_reason", json_string("warm: the weights do not come from memory"));
        return;
    }
    field_set_competing(record, "roof_fraction", product_roof_fraction(cell), "1");
    field_set_quantity(record, "roof_bytes_per_s", roof_paired_bandwidth(cell), "B/s");
    field_set(record, "roof_stream", field_roof_stream(session, "memory", cell->threads, roof_paired_stream(cell)));
    if (own->copies) { /* not of samples that were restored */
        field_set(record, "copies", json_integer((json_int_t)own->copies));
        field_set(record, "one_layer", json_boolean(own->one_layer));
    }
}

void product_record_samples(json_t *record, const struct cell *cell)
{
    field_set_interrupted(record, cell);
    field_set_switched(record, cell->samples.sample, cell->samples.count);
    field_set_correctness(record, cell);
}

void product_record_end(json_t *record, const struct session *session, const struct cells *cells,
                        const struct cell *cell)
{
    product_schedule_record(record, cells, cell);
    best_peer_record(record, session, cells, cell);
    product_settings_record(&product_cell(cell)->settings, cell->kernel, gemm_cell(cell) != NULL, record);
    if (cell->kernel->differs)
        field_set(record, "differs", json_string(cell->kernel->differs));
    field_set_counters(record, cell);
    energy_set(record, session, cell);
}
