/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/measure/session_level.h"
#include "platforms/clock/quiet.h"
#include "results/records/record.h"

void field_set(json_t *record, const char *field, json_t *value)
{
    json_object_set_new(record, field, value);
}

void field_set_number(json_t *record, const char *field, double value)
{
    field_set(record, field, isfinite(value) ? json_real(value) : json_null());
}

void field_set_reason(json_t *record, const char *field, const char *why)
{
    char reason[64];
    snprintf(reason, sizeof reason, "%s_reason", field);
    field_set(record, reason, json_string(why));
}

void field_set_number_or_why(json_t *record, const char *field, double value, const char *why)
{
    field_set_number(record, field, value);
    if (!isfinite(value) && why)
        field_set_reason(record, field, why);
}

void field_set_correctness(json_t *record, const struct cell *cell)
{
    const struct kernel *kernel = cell->kernel;
    field_set(record, "activations", json_string(kernel->takes == KERNEL_TAKES_INT8 ? "int8" : "f32"));
    field_set(record, "result", json_string(kernel->gives == KERNEL_GIVES_INT32 ? "int32" : "f32"));
    field_set(record, "lossless", json_boolean(kernel->lossless));
    field_set(record, "exact", json_boolean(cell->exact));
    field_set_number(record, "error", cell->error);
    field_set(record, "within_bound", json_boolean(cell->verified));
}

void field_set_interrupted(json_t *record, const struct cell *cell)
{
    const char *undetectable = interrupts_undetectable();
    field_set(record, "kept_though_interrupted",
              undetectable ? json_null() : json_integer((json_int_t)summary_kept_though_interrupted(cell)));
    if (undetectable)
        field_set_reason(record, "kept_though_interrupted", undetectable);
}

void field_set_switched(json_t *record, const struct sample *samples, size_t count)
{
    size_t switched = 0;
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        if (samples[i].cause != SAMPLE_KEPT || !samples[i].switched)
            continue;
        switched++;
        most = fmax(most, samples[i].off_core_share);
    }
    field_set(record, "kept_though_switched", json_integer((json_int_t)switched));
    field_set_number(record, "off_core", most);
}

void field_set_quantity(json_t *record, const char *field, struct graded quantity, const char *unit)
{
    field_set(record, field, record_quantity(&quantity.summary, unit, quantity.grade));
    if (quantity.summary.n == 0 && quantity.summary.rejected == 0)
        field_set_reason(record, field, "no sample was taken");
}

void field_set_competing(json_t *record, const char *field, struct graded quantity, const char *unit)
{
    field_set_quantity(record, field, quantity, unit);
    record_set_halves(json_object_get(record, field), quantity.halves);
}

json_t *field_cpus(const struct session *session, unsigned threads)
{
    json_t *cpus = json_array();
    for (unsigned i = 0; i < threads; i++)
        json_array_append_new(cpus, json_integer(session->cpus[i]));
    return cpus;
}

json_t *field_names(const char *list)
{
    json_t *array = json_array();
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ",");
        json_array_append_new(array, json_stringn(at, length));
        at += length + (at[length] == ',');
    }
    return array;
}

json_t *field_entries(const struct os_entry_counts *counts)
{
    json_t *object = json_object();
    for (int e = 0; e < OS_ENTRIES; e++)
        json_object_set_new(object, os_entry_name((enum os_entry)e),
                            counts->of[e] < 0 ? json_null() : json_integer((json_int_t)counts->of[e]));
    return object;
}

json_t *field_roof_stream(const struct session *session, const char *level, unsigned threads, unsigned id)
{
    const struct session_roof *roof = session_roof(session, level, threads);
    struct session_stream stream = roof->stream;
    char label[80];
    if (!(roof->chosen && session_stream_id(&stream) == id) && session_stream_of_id(id, &stream))
        return json_null();
    session_stream_label(&stream, label, sizeof label);
    return json_string(label);
}

static counter_set counted_of(const struct cell *cell)
{
    counter_set any = 0;
    for (size_t i = 0; i < cell->samples.count; i++)
        any |= cell->samples.sample[i].counted;
    return any;
}

/**
 * A quantity that only hardware counters know: null with the reason where they count others but not it. Where they count
 * nothing the records of type counters say so once: two reasons in each would be a fifth of a run.
 */
static void set_counted(json_t *record, const struct cell *cell, const char *field, struct graded quantity,
                        const char *unit)
{
    if (quantity.summary.n) {
        field_set_quantity(record, field, quantity, unit);
        return;
    }
    if (!counted_of(cell))
        return;
    field_set(record, field, json_null());
    field_set_reason(record, field, "not counted with the samples; the records of type counters say why");
}

void field_set_instructions(json_t *record, const struct cell *cell)
{
    set_counted(record, cell, "instructions_per_cycle", summary_instructions_per_cycle(cell), "1/cycle");
}

void field_set_proof(json_t *record, const struct cell *cell)
{
    struct os_entry_counts sum = {{0}};
    size_t proven = 0, entered = 0;
    for (size_t i = 0; i < cell->samples.count; i++) {
        const struct sample *sample = &cell->samples.sample[i];
        if (!sample->proven)
            continue;
        proven++;
        entered += os_entries_total(&sample->entered) > 0;
        for (int e = 0; e < OS_ENTRIES; e++)
            sum.of[e] = sample->entered.of[e] < 0 ? -1 : sum.of[e] + sample->entered.of[e];
    }
    if (!proven)
        return;
    field_set(record, "proven_samples", json_integer((json_int_t)proven));
    field_set(record, "entered_samples", json_integer((json_int_t)entered));
    field_set(record, "entered", field_entries(&sum));
}

/** Energy that the machine counts is still missing where the samples are too short for it. */
static void set_energy(json_t *record, const struct cell *cell)
{
    struct graded energy = summary_count(cell, COUNTER_PACKAGE_ENERGY_J);
    bool long_enough = false;
    for (size_t i = 0; i < cell->samples.count; i++)
        long_enough |= cell->samples.sample[i].wall_s >= SAMPLER_ENERGY_LEAST_S;
    set_counted(record, cell, "package_energy_j", energy, "J");
    if (!energy.summary.n && !long_enough)
        field_set(record, "package_energy_j_reason",
                  json_string("no sample lasts 20 ms, and energy counters move once a millisecond"));
}

void field_set_counters(json_t *record, const struct cell *cell)
{
    field_set_instructions(record, cell);
    set_counted(record, cell, "llc_misses", summary_count(cell, COUNTER_LLC_MISSES), "1");
    field_set_proof(record, cell);
    if (!(counted_of(cell) & COUNTER_SET_MACHINE))
        return; /* as usual, and the records of type counters say so once: six fields in each would be a sixth of a run */
    set_counted(record, cell, "dram_read_bytes", summary_count(cell, COUNTER_DRAM_READ_BYTES), "B");
    set_counted(record, cell, "dram_write_bytes", summary_count(cell, COUNTER_DRAM_WRITE_BYTES), "B");
    set_energy(record, cell);
}

/* ---- the record of a cell ---- */

/** What a kernel of a plug-in says that its numbers hold for. */
static void set_demands(json_t *record, const struct kernel *kernel)
{
    const struct kernel_operand *operand = &kernel->operand;
    if (kernel->wraps_beyond > 0)
        field_set(record, "wraps_beyond", json_real(kernel->wraps_beyond));
    if (operand->bits)
        field_set(record, "operand",
                  json_pack("{s:i, s:i, s:b}", "bits", (int)operand->bits, "columns", (int)operand->columns,
                            "zero_point", (int)operand->zero_point));
}

/** Which plug-in brought what was measured. */
static void set_plugin(json_t *record, const struct session *session, const struct cell *cell)
{
    const struct plugin *plugin = cell->kernel     ? plugins_of_kernel(&session->plugins, cell->kernel)
                                  : cell->sequence ? plugins_of_sequence(&session->plugins, cell->sequence)
                                                   : NULL;
    if (!record || !plugin)
        return;
    field_set(record, "plugin", json_string(plugin->description->name));
    field_set(record, "plugin_hash", json_string(plugin->file.hash));
    if (cell->kernel)
        set_demands(record, cell->kernel);
}

/** Once and in each of them: a line is read without its run, too. */
static void set_emulator(json_t *record, const struct session *session)
{
    const char *emulator = machine_emulator(&session->machine);
    if (record && emulator[0])
        field_set(record, "emulated", json_string(emulator));
}

json_t *summary_record(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    json_t *record = cell->samples.count ? cell->kind->record(session, cells, cell) : NULL;
    set_plugin(record, session, cell);
    set_emulator(record, session);
    return record;
}

json_t *derived_record(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    json_t *record = cell->samples.count && cell->kind->derived ? cell->kind->derived(session, cells, cell) : NULL;
    set_emulator(record, session);
    return record;
}
