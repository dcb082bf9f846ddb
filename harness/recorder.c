/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/recorder.h"

#include <errno.h>
#include <string.h>

static int append(struct run *run, json_t *record)
{
    if (!record)
        return -ENOMEM;
    int error = run_append(run, record);
    json_decref(record);
    return error;
}

static int append_samples(struct run *run, const struct cell *cell, const struct samples *samples, size_t first,
                          bool roof)
{
    int error = 0;
    for (size_t i = first; !error && i < samples->count; i++)
        error = append(run, summary_sample(cell, &samples->sample[i], roof));
    return error;
}

int recorder_samples(struct run *run, const struct cell *cell, size_t first, size_t roof_first)
{
    int error = 0;
    if (first == 0)
        error = append(run, json_pack("{s:s, s:s, s:I, s:i, s:I, s:b}", "type", "cell", "name", cell->name, "iterations",
                                      (json_int_t)cell->iterations, "repeats", (int)cell->repeats, "roof_bytes",
                                      (json_int_t)cell->roof_bytes, "exact", cell->exact));
    if (!error)
        error = append_samples(run, cell, &cell->roof, roof_first, true);
    if (!error)
        error = append_samples(run, cell, &cell->samples, first, false);
    return error;
}

int recorder_summaries(struct run *run, const struct session *session, const struct cells *cells)
{
    int error = 0;
    for (size_t i = 0; !error && i < cells->count; i++) {
        if (cells->cell[i].samples.count)
            error = append(run, summary_record(session, cells, &cells->cell[i]));
    }
    return error;
}

static struct cell *cell_named(struct plan *plan, const char *name)
{
    for (size_t i = 0; name && i < plan->cells.count; i++) {
        if (strcmp(plan->cells.cell[i].name, name) == 0)
            return &plan->cells.cell[i];
    }
    return NULL;
}

static enum sample_cause cause_named(const char *name)
{
    for (int cause = SAMPLE_KEPT + 1; name && cause < SAMPLE_CAUSES; cause++) {
        if (strcmp(name, sample_cause_name((enum sample_cause)cause)) == 0)
            return (enum sample_cause)cause;
    }
    return SAMPLE_KEPT;
}

static void restore_cell(struct cell *cell, const json_t *record)
{
    cell->iterations = (uint64_t)json_integer_value(json_object_get(record, "iterations"));
    cell->repeats = (unsigned)json_integer_value(json_object_get(record, "repeats"));
    cell->roof_bytes = (size_t)json_integer_value(json_object_get(record, "roof_bytes"));
    cell->exact = json_is_true(json_object_get(record, "exact"));
    cell->verified = true;
}

long recorder_restore(const struct run_records *records, struct plan *plan)
{
    long restored = 0;
    size_t i;
    json_t *record;
    json_array_foreach(records->records, i, record) {
        const char *type = json_string_value(json_object_get(record, "type"));
        struct cell *cell = cell_named(plan, json_string_value(json_object_get(record, "name")));
        if (!type || !cell)
            continue;
        if (strcmp(type, "cell") == 0)
            restore_cell(cell, record);
        if (strcmp(type, "sample") != 0)
            continue;
        const char *grade = json_string_value(json_object_get(record, "grade"));
        struct sample sample = {
            .wall_s = json_number_value(json_object_get(record, "time_s")),
            .core_hz = json_number_value(json_object_get(record, "core_hz")),
            .clock_agrees = grade && strcmp(grade, "chain") == 0,
            .interrupted = json_is_true(json_object_get(record, "interrupted")),
            .cause = cause_named(json_string_value(json_object_get(record, "rejected"))),
        };
        bool roof = json_is_true(json_object_get(record, "roof"));
        if (samples_append(roof ? &cell->roof : &cell->samples, &sample, 1))
            return -ENOMEM;
        restored++;
    }
    return restored;
}

static void count_rejected(const struct samples *samples, size_t rejected[SAMPLE_CAUSES])
{
    for (size_t i = 0; i < samples->count; i++)
        rejected[samples->sample[i].cause]++;
}

void recorder_rejected(const struct cells *cells, size_t rejected[SAMPLE_CAUSES], size_t *samples)
{
    memset(rejected, 0, SAMPLE_CAUSES * sizeof *rejected);
    *samples = 0;
    for (size_t i = 0; i < cells->count; i++) {
        count_rejected(&cells->cell[i].samples, rejected);
        count_rejected(&cells->cell[i].roof, rejected);
        *samples += cells->cell[i].samples.count + cells->cell[i].roof.count;
    }
}
