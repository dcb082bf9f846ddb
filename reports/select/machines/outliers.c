/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/machines/outliers.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/files/need.h"
#include "results/records/cpu_key.h"

static const char *node_of(const struct view *view)
{
    const char *node = view_text(view->meta, "node");
    if (!*node)
        node = view_text(json_object_get(view->meta, "host"), "hostname");
    return *node ? node : view_run_name(view);
}

/* CPUs of one name are told apart by what both state. */
static bool has_cpu_of(const struct outliers_run *run, const struct outliers_run *other)
{
    char how[8];
    return strcmp(run->cpu, other->cpu) == 0 &&
           cpu_key_match(run->meta, other->meta, (const char *const[]){"", ""}, how, sizeof how) != CPU_KEY_OTHER;
}

int outliers_add(struct outliers *outliers, const struct view *view)
{
    struct outliers_run *runs = realloc(outliers->runs, (outliers->count + 1) * sizeof *runs);
    if (!runs)
        return -ENOMEM;
    outliers->runs = runs;
    struct outliers_run *run = &runs[outliers->count++];
    *run = (struct outliers_run){.node = strdup(node_of(view)), .path = strdup(view->path)};
    char code[9];
    cpu_key_code(view->meta, code);
    if (asprintf(&run->cpu, "%s %s%s%s", view_machine_name(view), view_microarchitecture(view), code[0] ? " " : "",
                 code) < 0)
        run->cpu = NULL;
    run->meta = json_incref((json_t *)view->meta);
    while (run->cpu && !has_cpu_of(&runs[run->fleet], run))
        run->fleet++;
    bool complete = run->node && run->path && run->cpu;
    for (int kind = 0; kind < OUTLIERS_KINDS; kind++) {
        run->rows[kind] = shared_rows_of(&shared_rows_kinds[kind], view);
        complete = complete && run->rows[kind];
    }
    return complete ? 0 : -ENOMEM;
}

void outliers_free(struct outliers *outliers)
{
    for (size_t i = 0; i < outliers->count; i++) {
        struct outliers_run *run = &outliers->runs[i];
        free(run->node);
        free(run->path);
        free(run->cpu);
        json_decref(run->meta);
        for (int kind = 0; kind < OUTLIERS_KINDS; kind++)
            json_decref(run->rows[kind]);
    }
    free(outliers->runs);
    free(outliers->rows);
    free(outliers->found);
    *outliers = (struct outliers){0};
}

/* Values of a row over a fleet; machines of others have none. */
static void values_of_row(const struct outliers *outliers, size_t fleet, int kind, const char *key,
                          struct fleet_value *values)
{
    const char *field = shared_rows_kinds[kind].field;
    for (size_t i = 0; i < outliers->count; i++) {
        const json_t *row =
            outliers->runs[i].fleet == fleet ? json_object_get(outliers->runs[i].rows[kind], key) : NULL;
        const json_t *interval = json_object_get(json_object_get(row, field), "ci95");
        bool known = json_array_size(interval) == 2;
        values[i] = (struct fleet_value){
            .value = row ? view_median(row, field) : NAN,
            .ci95 = {known ? json_number_value(json_array_get(interval, 0)) : NAN,
                     known ? json_number_value(json_array_get(interval, 1)) : NAN},
        };
    }
}

/* "memory 8": the values of the keys, as a person says them. */
static void name_row(const struct shared_rows *kind, const json_t *row, char *name, size_t size)
{
    size_t length = 0;
    name[0] = 0;
    for (size_t i = 0; i < SHARED_ROWS_KEYS && kind->keys[i].field && length < size; i++) {
        const json_t *value = json_object_get(row, kind->keys[i].field);
        const char *gap = i ? " " : "";
        length += (size_t)(json_is_number(value)
                               ? snprintf(name + length, size - length, "%s%.0f", gap, json_number_value(value))
                               : snprintf(name + length, size - length, "%s%s", gap, json_string_value(value)));
    }
}

/* A place more at the end of an array, NULL without memory. */
static void *grow(void **array, size_t count, size_t size)
{
    void *grown = realloc(*array, (count + 1) * size);
    if (!grown)
        return NULL;
    *array = grown;
    return (char *)grown + count * size;
}

static int judge_value(struct outliers *outliers, size_t run, const struct fleet_value *value)
{
    const struct outliers_row *row = &outliers->rows[outliers->row_count - 1];
    outliers->compared++;
    outliers->runs[run].compared++;
    if (!fleet_is_off(value, &row->spread))
        return 0;
    struct outlier *found = grow((void **)&outliers->found, outliers->found_count, sizeof *found);
    if (!found)
        return -ENOMEM;
    *found = (struct outlier){.run = run, .row = outliers->row_count - 1, .value = value->value};
    outliers->found_count++;
    outliers->runs[run].off++;
    return 0;
}

/* A row of a fleet, if enough machines have it: its spread, and what is off. */
static int judge_row(struct outliers *outliers, size_t fleet, int kind, const json_t *record,
                     const struct fleet_value *values)
{
    struct fleet_spread spread;
    int error = fleet_spread_of(values, outliers->count, &spread);
    if (error || spread.n < FLEET_LEAST)
        return error;
    struct outliers_row *row = grow((void **)&outliers->rows, outliers->row_count, sizeof *row);
    if (!row)
        return -ENOMEM;
    outliers->row_count++;
    *row = (struct outliers_row){
        .kind = &shared_rows_kinds[kind], .fleet = fleet, .spread = spread, .low = INFINITY, .high = -INFINITY};
    name_row(row->kind, record, row->name, sizeof row->name);
    snprintf(row->unit, sizeof row->unit, "%s", view_text(json_object_get(record, row->kind->field), "unit"));
    for (size_t i = 0; !error && i < outliers->count; i++) {
        if (!isfinite(values[i].value))
            continue;
        if (values[i].value < row->low) {
            row->low = values[i].value;
            row->lowest = i;
        }
        if (values[i].value > row->high) {
            row->high = values[i].value;
            row->highest = i;
        }
        error = judge_value(outliers, i, &values[i]);
    }
    return error;
}

/* Every row of a fleet once, in order of first appearance. */
static int judge_kind(struct outliers *outliers, size_t fleet, int kind, struct fleet_value *values)
{
    int error = 0;
    json_t *seen = json_object();
    for (size_t i = fleet; seen && !error && i < outliers->count; i++) {
        const char *key;
        json_t *record;
        if (outliers->runs[i].fleet != fleet)
            continue;
        json_object_foreach(outliers->runs[i].rows[kind], key, record)
        {
            if (error || json_object_get(seen, key))
                continue;
            json_object_set_new(seen, key, json_true());
            values_of_row(outliers, fleet, kind, key, values);
            error = judge_row(outliers, fleet, kind, record, values);
        }
    }
    json_decref(seen);
    return seen ? error : -ENOMEM;
}

double outlier_fraction(const struct outliers *outliers, const struct outlier *outlier)
{
    return outlier->value / outliers->rows[outlier->row].spread.median - 1;
}

static int by_run_and_distance(const void *left, const void *right, void *context)
{
    const struct outlier *a = left, *b = right;
    if (a->run != b->run)
        return a->run < b->run ? -1 : 1;
    double nearer = fabs(outlier_fraction(context, b)) - fabs(outlier_fraction(context, a));
    return nearer > 0 ? 1 : nearer < 0 ? -1 : a->row < b->row ? -1 : a->row > b->row;
}

static size_t fleet_size(const struct outliers *outliers, size_t fleet)
{
    size_t size = 0;
    for (size_t i = fleet; i < outliers->count; i++)
        size += outliers->runs[i].fleet == fleet;
    return size;
}

int outliers_find(struct outliers *outliers)
{
    struct fleet_value *values = need(outliers->count + 1, sizeof *values);
    int error = values ? 0 : -ENOMEM;
    for (size_t i = 0; !error && i < outliers->count; i++) {
        if (outliers->runs[i].fleet != i || fleet_size(outliers, i) < FLEET_LEAST)
            continue;
        outliers->fleets++;
        for (int kind = 0; !error && kind < OUTLIERS_KINDS; kind++)
            error = judge_kind(outliers, i, kind, values);
    }
    free(values);
    if (outliers->found_count)
        qsort_r(outliers->found, outliers->found_count, sizeof *outliers->found, by_run_and_distance, outliers);
    return error;
}

const struct outliers_row *outlier_row(const struct outliers *outliers, const struct outlier *outlier)
{
    return &outliers->rows[outlier->row];
}

json_t *outlier_record(const struct outliers *outliers, const struct outlier *outlier)
{
    const struct outliers_row *row = outlier_row(outliers, outlier);
    const struct outliers_run *run = &outliers->runs[outlier->run];
    double deviations = fleet_deviations(outlier->value, &row->spread);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:o, s:i}", "type", "outlier", "name",
                     run->node, "run", run->path, "quantity", row->kind->id, "row", row->name, "unit", row->unit,
                     "value", outlier->value, "median", row->spread.median, "mad", row->spread.mad, "fraction",
                     outlier_fraction(outliers, outlier), "deviations",
                     isfinite(deviations) ? json_real(deviations) : json_null(), "machines", (int)row->spread.n);
}

void outliers_line(const struct outliers *outliers, size_t run, char *line, size_t size)
{
    enum { SAID = 3 };
    const struct outliers_run *of = &outliers->runs[run];
    int length = snprintf(line, size, "%s (%s): %zu of %zu values more than %.0f MAD off:", of->node, of->path, of->off,
                          of->compared, FLEET_DEVIATIONS);
    size_t said = 0;
    for (size_t i = 0; i < outliers->found_count && said < SAID && length > 0 && (size_t)length < size; i++) {
        const struct outlier *outlier = &outliers->found[i];
        const struct outliers_row *row = outlier_row(outliers, outlier);
        if (outlier->run != run)
            continue;
        length += snprintf(line + length, size - (size_t)length, "%s %s %s %+.1f%%", said++ ? "," : "", row->kind->id,
                           row->name, 100 * outlier_fraction(outliers, outlier));
    }
    if (of->off > SAID && length > 0 && (size_t)length < size)
        snprintf(line + length, size - (size_t)length, ", and %zu more", of->off - SAID);
}
