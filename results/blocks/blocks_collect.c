/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See blocks_collect.h.
 */
#include "results/blocks/blocks_collect.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/records/record.h"

/* ---- cells ---- */

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/** Class of a cell by its name alone; that of a GEMV needs its summary, too. */
static enum compare_class class_by_name(const char *name)
{
    char sequence[256], level[16];
    if (sscanf(name, "knee/%255[^/]/%15[^/]", sequence, level) == 2)
        return blocks_class("knee", NULL, level);
    if (sscanf(name, "beta/%15[^/]", level) == 1)
        return blocks_class("beta", NULL, level);
    bool core = begins(name, "gamma/") || begins(name, "prepare/") || begins(name, "dequantize/");
    return blocks_class(core ? "gamma" : "", NULL, NULL);
}

/** Kinds from before their cells said so themselves. */
static bool was_never_compared(const char *name)
{
    static const char *const kinds[] = {"bias/", "term/", "pool/", "latency/"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (begins(name, kinds[i]))
            return true;
    }
    return false;
}

/** What the record of a cell says of it, wherever among the others it stands. */
static void leave_out(struct blocks_collection *all, const json_t *record)
{
    if (strcmp(record_text(record, "type"), "cell") == 0 && json_is_false(json_object_get(record, "compared")) &&
        json_object_set_new(all->left_out, record_text(record, "name"), json_true()))
        all->failed = true;
}

static bool is_compared(const struct blocks_collection *all, const char *name)
{
    return !json_object_get(all->left_out, name) && !was_never_compared(name);
}

static struct blocks_collected *cell_named(struct blocks_collection *all, const char *name)
{
    const json_t *known = json_object_get(all->index, name);
    if (known)
        return &all->cell[json_integer_value(known)];
    if (all->count == all->capacity) {
        size_t capacity = 2 * all->capacity + 64;
        struct blocks_collected *grown = realloc(all->cell, capacity * sizeof *grown);
        if (!grown) {
            all->failed = true;
            return NULL;
        }
        all->cell = grown;
        all->capacity = capacity;
    }
    if (json_object_set_new(all->index, name, json_integer((json_int_t)all->count))) {
        all->failed = true;
        return NULL;
    }
    struct blocks_collected *cell = &all->cell[all->count++];
    *cell = (struct blocks_collected){
        .name = name,
        .gamma = begins(name, "gamma/"),
        .control = begins(name, "beta/") || begins(name, "sync/"),
        .class = class_by_name(name),
        .repeats = 1,
        .divisor = 1,
        .gamma_cycles = NAN,
    };
    return cell;
}

/* ---- samples ---- */

static enum blocks_grade grade_named(const char *grade)
{
    return strcmp(grade, "pmu") == 0 ? BLOCKS_PMU : strcmp(grade, "chain") == 0 ? BLOCKS_CHAIN : BLOCKS_WALL;
}

static void append(struct blocks_collection *all, struct blocks_collected *cell, struct blocks_reading reading)
{
    if (cell->count == cell->capacity) {
        size_t capacity = 2 * cell->capacity + 16;
        struct blocks_reading *grown = realloc(cell->reading, capacity * sizeof *grown);
        if (!grown) {
            all->failed = true;
            return;
        }
        cell->reading = grown;
        cell->capacity = capacity;
    }
    cell->reading[cell->count++] = reading;
}

static struct blocks_reading reading_of(const struct recorded_samples *visit, const struct recorded_sample *sample)
{
    return (struct blocks_reading){
        .process = visit->block,
        .visit = visit->visit,
        .grade = grade_named(sample->grade),
        .seconds = sample->time_s,
        .cycles = sample->time_s * sample->core_hz,
        .roof_s = NAN,
    };
}

static void remember_half(struct blocks_collected *cell, struct blocks_reading half, bool kept)
{
    cell->half = half;
    cell->has_half = true;
    cell->half_kept = kept;
}

/** U and 2U dot products an iteration: the loop and the timer are in both. */
static struct blocks_reading difference(const struct blocks_collected *cell, struct blocks_reading shorter,
                                        struct blocks_reading longer)
{
    struct blocks_reading result = longer;
    result.grade = shorter.grade < longer.grade ? shorter.grade : longer.grade;
    result.seconds -= shorter.seconds;
    result.cycles = (result.cycles - shorter.cycles) / cell->iterations / (cell->vectors > 0 ? cell->vectors : 1);
    return result;
}

static void take_gamma(struct blocks_collection *all, struct blocks_collected *cell,
                       const struct recorded_sample *sample, struct blocks_reading reading)
{
    bool has_half = cell->has_half;
    cell->has_half = false;
    if (sample->unroll == 1) {
        remember_half(cell, reading, !sample->rejected);
        return;
    }
    if (!has_half)
        return;
    reading = difference(cell, cell->half, reading);
    if (cell->half_kept && !sample->rejected && reading.cycles > 0 && reading.seconds > 0)
        append(all, cell, reading);
    else
        cell->rejected++;
}

static void take_other(struct blocks_collection *all, struct blocks_collected *cell,
                       const struct recorded_sample *sample, struct blocks_reading reading)
{
    if (sample->roof) {
        remember_half(cell, reading, !sample->rejected);
        return;
    }
    if (cell->has_half && cell->half_kept)
        reading.roof_s = cell->half.seconds;
    cell->has_half = false;
    reading.seconds /= cell->repeats;
    reading.cycles /= cell->repeats;
    if (!sample->rejected && reading.seconds > 0)
        append(all, cell, reading);
    else
        cell->rejected++;
}

static void take_samples(struct blocks_collection *all, const json_t *record)
{
    struct recorded_samples *visit = &all->visit;
    const char *name = record_text(record, "name");
    struct blocks_collected *cell = is_compared(all, name) ? cell_named(all, name) : NULL;
    if (!cell)
        return;
    if (samples_read(record, visit))
        all->failed = true;
    for (size_t i = 0; i < visit->count; i++) {
        const struct recorded_sample *sample = &visit->sample[i];
        const char *cause = sample->rejected ? sample->rejected : "";
        all->samples++;
        all->met_neighbour += strcmp(cause, "sibling") == 0 || strcmp(cause, "clock_drift") == 0;
        (cell->gamma ? take_gamma : take_other)(all, cell, sample, reading_of(visit, sample));
    }
}

/* ---- what the other records say of a cell ---- */

static void take_cell(struct blocks_collection *all, const json_t *record)
{
    const char *name = record_text(record, "name");
    struct blocks_collected *cell = is_compared(all, name) ? cell_named(all, name) : NULL;
    if (!cell)
        return;
    cell->iterations = record_number(record, "iterations");
    cell->vectors = record_number(record, "vectors");
    double repeats = record_number(record, "repeats"), bytes = record_number(record, "bytes");
    if (begins(cell->name, "knee/") && bytes > 0)
        cell->divisor = bytes; /* chosen by each run for itself */
    cell->repeats = repeats > 0 ? repeats : 1;
    cell->model.roof_bytes = record_number(record, "roof_bytes");
}

/** "<sequence>@<accumulators>" as the run has it; by its own name, where the best of them is that of the sequence. */
static void take_model(struct blocks_collected *cell, const json_t *record)
{
    const char *used = record_text(record, "gamma_used");
    cell->model.packed_bytes = record_number(record, "packed_bytes");
    cell->model.vectors = record_number(record, "m") * record_number(record, "k") / 32;
    cell->model.threads = record_count(record, "threads");
    if (!cell->model.gamma && used[0] && asprintf(&cell->model.gamma, "gamma/%.*s", (int)strcspn(used, "@"), used) < 0)
        cell->model.gamma = NULL;
}

/**
 * Of a GEMM whose computing takes twice as long as reading its own time is gamma(N) N; of another what the terms of its
 * kernel say, if they could be fitted (roofline/gemm.h).
 */
static void take_computing(struct blocks_collected *cell, const json_t *record)
{
    struct summary time, cycles;
    if (record_quantity_read(record, "time_s", &time) || record_quantity_read(record, "cycles_per_vector", &cycles))
        return;
    double memory_s = record_number(record, "memory_s"), compute_s = record_number(record, "compute_s");
    double computing_s = memory_s > 0 && time.median >= 2 * memory_s ? time.median : compute_s;
    double computing = cycles.median * computing_s / time.median;
    cell->model.computing = isfinite(computing) && computing > 0 ? computing : 0;
}

/** Summaries are named after the kernel or sequence; the name of the cell is made from their fields. */
static void take_summary(struct blocks_collection *all, const json_t *record, const char *type)
{
    char name[256];
    if (json_object_get(record, "cell")) /* one with a schedule of its own */
        snprintf(name, sizeof name, "%s", record_text(record, "cell"));
    else if (strcmp(type, "gemm") == 0)
        snprintf(name, sizeof name, "gemm/%s/%.0fx%.0f/n%.0f/t%.0f/%s", record_text(record, "name"),
                 record_number(record, "m"), record_number(record, "k"), record_number(record, "n"),
                 record_number(record, "threads"), record_text(record, "protocol"));
    else if (strcmp(type, "gemv") == 0)
        snprintf(name, sizeof name, "gemv/%s/%.0fx%.0f/t%.0f/%s", record_text(record, "name"),
                 record_number(record, "m"), record_number(record, "k"), record_number(record, "threads"),
                 record_text(record, "protocol"));
    else if (strcmp(type, "gamma") == 0)
        snprintf(name, sizeof name, "gamma/%s/a%.0f", record_text(record, "name"),
                 record_number(record, "accumulators"));
    else
        snprintf(name, sizeof name, "beta/%s/t%.0f/%s", record_text(record, "level"), record_number(record, "threads"),
                 record_text(record, "name"));
    const json_t *known = json_object_get(all->index, name);
    if (!known)
        return;
    struct blocks_collected *cell = &all->cell[json_integer_value(known)];
    struct summary gamma;
    if (strcmp(type, "gemm") == 0 || strcmp(type, "gemv") == 0) {
        cell->class = blocks_class(type, record_text(record, "protocol"), record_text(record, "level"));
        take_model(cell, record);
        if (strcmp(type, "gemm") == 0)
            take_computing(cell, record);
    } else if (cell->gamma) {
        cell->summarized = true;
        cell->best = json_is_true(json_object_get(record, "best"));
        if (record_quantity_read(record, "gamma", &gamma) == 0)
            cell->gamma_cycles = gamma.median;
    } else
        cell->divisor = json_is_true(json_object_get(record, "roof"))
                            ? record_number(record, "bytes_per_sample_per_core") * record_number(record, "threads")
                            : NAN; /* a stream that is no roof says nothing of the machine */
}

static void take(struct blocks_collection *all, const json_t *record)
{
    const char *type = record_text(record, "type");
    if (samples_are_in(record))
        take_samples(all, record);
    else if (strcmp(type, "cell") == 0)
        take_cell(all, record);
    else if (strcmp(type, "gemm") == 0 || strcmp(type, "gemv") == 0 || strcmp(type, "gamma") == 0 ||
             strcmp(type, "beta") == 0)
        take_summary(all, record, type);
}

/* ---- a run ---- */

int blocks_collect(const struct run_records *records, struct blocks_collection *all)
{
    *all = (struct blocks_collection){.index = json_object(), .left_out = json_object()};
    size_t i;
    json_t *record;
    json_array_foreach(records->records, i, record) leave_out(all, record);
    json_array_foreach(records->records, i, record) take(all, record);
    return all->failed || !all->index || !all->left_out ? -ENOMEM : all->samples ? 0 : -ENODATA;
}

void blocks_collection_release(struct blocks_collection *all)
{
    for (size_t c = 0; c < all->count; c++) {
        free(all->cell[c].reading);
        free(all->cell[c].model.gamma);
    }
    free(all->cell);
    json_decref(all->index);
    json_decref(all->left_out);
    samples_release(&all->visit);
}
