/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the records of a run to the values of its blocks.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/blocks.h"
#include "results/blocks_facts.h"
#include "results/record.h"
#include "results/samples.h"
#include "results/stats.h"

/** Grades in rising order, as harness/measure/sampler.h has them. */
enum grade { WALL, CHAIN, PMU, GRADES };
enum { GRADED_LEAST = 3 };

/** One value that a sample (of gamma a pair) gives. */
struct reading {
    uint64_t process, visit;
    enum grade grade;
    double seconds, cycles; /* of one piece of work; gamma: seconds of the pair's difference, cycles of an iteration */
    double roof_s;          /* of the roof sample before it; NaN without */
};

/** What is collected of one cell while its records are read. */
struct collected {
    const char *name;
    bool gamma, control;
    enum compare_class class;
    double iterations, vectors, repeats; /* vectors of an iteration; 0: not recorded */
    double divisor;                      /* of the time of a roof: bytes; else 1 */
    struct reading half;                 /* first of a pair, the sample of this cell just before */
    bool has_half, half_kept;
    struct blocks_model model;
    double gamma_cycles; /* as the run summarized it; NaN unknown */
    bool summarized,
        best; /* gamma: whether it is that of its sequence's best number of accumulators is known, and so */
    struct reading *reading;
    size_t count, capacity, rejected;
};

struct collection {
    struct collected *cell;
    size_t count, capacity;
    json_t *index;                 /* name to position */
    json_t *left_out;              /* names of cells that no comparison takes */
    struct recorded_samples visit; /* being read */
    size_t samples, met_neighbour;
    bool failed;
    bool lower_quartiles; /* values of blocks are, else medians */
};

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
    return blocks_class(begins(name, "gamma/") ? "gamma" : begins(name, "prepare/") ? "prepare" : "", NULL, NULL);
}

/** Kinds of before their cells said so themselves. */
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
static void leave_out(struct collection *all, const json_t *record)
{
    if (strcmp(record_text(record, "type"), "cell") == 0 && json_is_false(json_object_get(record, "compared")) &&
        json_object_set_new(all->left_out, record_text(record, "name"), json_true()))
        all->failed = true;
}

static bool is_compared(const struct collection *all, const char *name)
{
    return !json_object_get(all->left_out, name) && !was_never_compared(name);
}

static struct collected *cell_named(struct collection *all, const char *name)
{
    const json_t *known = json_object_get(all->index, name);
    if (known)
        return &all->cell[json_integer_value(known)];
    if (all->count == all->capacity) {
        size_t capacity = 2 * all->capacity + 64;
        struct collected *grown = realloc(all->cell, capacity * sizeof *grown);
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
    struct collected *cell = &all->cell[all->count++];
    *cell = (struct collected){
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

static enum grade grade_named(const char *grade)
{
    return strcmp(grade, "pmu") == 0 ? PMU : strcmp(grade, "chain") == 0 ? CHAIN : WALL;
}

static void append(struct collection *all, struct collected *cell, struct reading reading)
{
    if (cell->count == cell->capacity) {
        size_t capacity = 2 * cell->capacity + 16;
        struct reading *grown = realloc(cell->reading, capacity * sizeof *grown);
        if (!grown) {
            all->failed = true;
            return;
        }
        cell->reading = grown;
        cell->capacity = capacity;
    }
    cell->reading[cell->count++] = reading;
}

static struct reading reading_of(const struct recorded_samples *visit, const struct recorded_sample *sample)
{
    return (struct reading){
        .process = visit->block,
        .visit = visit->visit,
        .grade = grade_named(sample->grade),
        .seconds = sample->time_s,
        .cycles = sample->time_s * sample->core_hz,
        .roof_s = NAN,
    };
}

static void remember_half(struct collected *cell, struct reading half, bool kept)
{
    cell->half = half;
    cell->has_half = true;
    cell->half_kept = kept;
}

/** U and 2U dot products an iteration: the loop and the timer are in both. */
static struct reading difference(const struct collected *cell, struct reading shorter, struct reading longer)
{
    struct reading result = longer;
    result.grade = shorter.grade < longer.grade ? shorter.grade : longer.grade;
    result.seconds -= shorter.seconds;
    result.cycles = (result.cycles - shorter.cycles) / cell->iterations / (cell->vectors > 0 ? cell->vectors : 1);
    return result;
}

static void take_gamma(struct collection *all, struct collected *cell, const struct recorded_sample *sample,
                       struct reading reading)
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

static void take_other(struct collection *all, struct collected *cell, const struct recorded_sample *sample,
                       struct reading reading)
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

static void take_samples(struct collection *all, const json_t *record)
{
    struct recorded_samples *visit = &all->visit;
    const char *name = record_text(record, "name");
    struct collected *cell = is_compared(all, name) ? cell_named(all, name) : NULL;
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

static void take_cell(struct collection *all, const json_t *record)
{
    const char *name = record_text(record, "name");
    struct collected *cell = is_compared(all, name) ? cell_named(all, name) : NULL;
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
static void take_model(struct collected *cell, const json_t *record)
{
    const char *used = record_text(record, "gamma_used");
    cell->model.packed_bytes = record_number(record, "packed_bytes");
    cell->model.vectors = record_number(record, "m") * record_number(record, "k") / 32;
    cell->model.threads = (unsigned)record_number(record, "threads");
    if (!cell->model.gamma && used[0] && asprintf(&cell->model.gamma, "gamma/%.*s", (int)strcspn(used, "@"), used) < 0)
        cell->model.gamma = NULL;
}

/**
 * Of a GEMM whose computing takes twice as long as reading its own time is gamma(N) N; of another what the terms of its
 * kernel say, if they could be fitted (roofline/gemm.h).
 */
static void take_computing(struct collected *cell, const json_t *record)
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
static void take_summary(struct collection *all, const json_t *record, const char *type)
{
    char name[256];
    if (json_object_get(record, "cell")) /* one with a schedule of its own */
        snprintf(name, sizeof name, "%s", record_text(record, "cell"));
    else if (strcmp(type, "gemm") == 0)
        snprintf(name, sizeof name, "gemm/%s/%lldx%lld/n%lld/t%lld/%s", record_text(record, "name"),
                 (long long)record_number(record, "m"), (long long)record_number(record, "k"),
                 (long long)record_number(record, "n"), (long long)record_number(record, "threads"),
                 record_text(record, "protocol"));
    else if (strcmp(type, "gemv") == 0)
        snprintf(name, sizeof name, "gemv/%s/%lldx%lld/t%lld/%s", record_text(record, "name"),
                 (long long)record_number(record, "m"), (long long)record_number(record, "k"),
                 (long long)record_number(record, "threads"), record_text(record, "protocol"));
    else if (strcmp(type, "gamma") == 0)
        snprintf(name, sizeof name, "gamma/%s/a%lld", record_text(record, "name"),
                 (long long)record_number(record, "accumulators"));
    else
        snprintf(name, sizeof name, "beta/%s/t%lld/%s", record_text(record, "level"),
                 (long long)record_number(record, "threads"), record_text(record, "name"));
    const json_t *known = json_object_get(all->index, name);
    if (!known)
        return;
    struct collected *cell = &all->cell[json_integer_value(known)];
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

static void take(struct collection *all, const json_t *record)
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

/* ---- blocks ---- */

/** The blocks of a run as keys: processes, or visits of processes, ascending and each once. */
struct keys {
    uint64_t *key;
    size_t count;
    bool processes;
};

enum { VISIT_BITS = 32 };

static uint64_t key_of(const struct reading *reading, bool processes)
{
    return processes ? reading->process : reading->process << VISIT_BITS | reading->visit;
}

static int ascending(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static int find_keys(const struct collection *all, bool processes, struct keys *keys)
{
    size_t total = 0;
    for (size_t c = 0; c < all->count; c++)
        total += all->cell[c].count;
    *keys = (struct keys){.key = calloc(total + 1, sizeof *keys->key), .processes = processes};
    if (!keys->key)
        return -ENOMEM;
    size_t n = 0;
    for (size_t c = 0; c < all->count; c++) {
        for (size_t i = 0; i < all->cell[c].count; i++)
            keys->key[n++] = key_of(&all->cell[c].reading[i], processes);
    }
    qsort(keys->key, n, sizeof *keys->key, ascending);
    for (size_t i = 0; i < n; i++) {
        if (!keys->count || keys->key[keys->count - 1] != keys->key[i])
            keys->key[keys->count++] = keys->key[i];
    }
    return 0;
}

/** Best grade that has enough readings of the cell; WALL where none has. */
static enum grade best_grade(const struct collected *cell)
{
    size_t of[GRADES] = {0};
    for (size_t i = 0; i < cell->count; i++)
        of[cell->reading[i].grade]++;
    return of[PMU] >= GRADED_LEAST ? PMU : of[CHAIN] >= GRADED_LEAST ? CHAIN : WALL;
}

/** What the readings of a cell are worth. */
struct worth {
    bool cycles;
    enum grade grade; /* only readings of it count, where in cycles */
    double scale;
    bool lower_quartile; /* of a block */
};

static bool counts(const struct reading *reading, const struct worth *worth)
{
    return !worth->cycles || reading->grade == worth->grade;
}

static double value_of(const struct reading *reading, const struct worth *worth)
{
    return worth->scale * (worth->cycles ? reading->cycles : reading->seconds);
}

/** Median core clock of the readings that know one. */
static double clock_of(const struct collected *cell, double *scratch)
{
    size_t used = 0;
    for (size_t i = 0; i < cell->count; i++) {
        double clock_hz = cell->reading[i].cycles / cell->reading[i].seconds;
        if (!cell->gamma && cell->reading[i].grade != WALL && isfinite(clock_hz))
            scratch[used++] = clock_hz;
    }
    return used ? stats_median(scratch, used) : 0;
}

/** The value, the seconds or the roof of readings [first, end) that have one. @return how many */
enum field { VALUE, SECONDS, ROOF };
static size_t take_field(const struct collected *cell, size_t first, size_t end, const struct worth *worth,
                         enum field field, double *scratch)
{
    size_t used = 0;
    for (size_t i = first; i < end; i++) {
        const struct reading *reading = &cell->reading[i];
        double value = field == VALUE     ? value_of(reading, worth)
                       : field == SECONDS ? reading->seconds
                                          : reading->roof_s;
        if (counts(reading, worth) && isfinite(value))
            scratch[used++] = value;
    }
    return used;
}

static double median_of(const struct collected *cell, size_t first, size_t end, const struct worth *worth,
                        enum field field, double *scratch, size_t *used)
{
    *used = take_field(cell, first, end, worth, field, scratch);
    return stats_median(scratch, *used);
}

static double block_of(const struct collected *cell, size_t first, size_t end, const struct worth *worth,
                       enum field field, double *scratch, size_t *used)
{
    *used = take_field(cell, first, end, worth, field, scratch);
    return worth->lower_quartile ? stats_lower_quartile(scratch, *used) : stats_median(scratch, *used);
}

static int by_key(const void *left, const void *right)
{
    const struct reading *a = left, *b = right;
    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    return (a->visit > b->visit) - (a->visit < b->visit);
}

static unsigned position(const struct keys *keys, uint64_t key)
{
    const uint64_t *found = bsearch(&key, keys->key, keys->count, sizeof key, ascending);
    return (unsigned)(found - keys->key);
}

/**
 * Runs of before the field "vectors" have readings in cycles of an iteration. Their own summary says how many vectors
 * that is: a whole number of quarters, whichever samples the summary is of.
 */
static double gamma_scale(const struct collected *cell, struct worth worth, double *scratch)
{
    size_t used;
    double iteration = median_of(cell, 0, cell->count, &worth, VALUE, scratch, &used);
    double vectors = iteration / cell->gamma_cycles, quarters = round(4 * vectors);
    if (cell->vectors > 0 || !used || !(vectors > 0))
        return 1;
    return quarters >= 1 && fabs(4 * vectors / quarters - 1) < 0.05 ? 4 / quarters : 1 / vectors;
}

/**
 * A roof is called by its level and team, "roof/memory/t2": the stream that reads fastest differs from run to run. So
 * does the best number of accumulators of a sequence, whose gamma is "gamma/<sequence>".
 */
static char *name_of(const struct collected *cell)
{
    const char *last = strrchr(cell->name, '/');
    char *name = NULL;
    if (cell->gamma && cell->best)
        return strndup(cell->name, (size_t)(last - cell->name));
    if (!begins(cell->name, "beta/"))
        return strdup(cell->name);
    int length = (int)(last - cell->name) - 5;
    return asprintf(&name, "roof/%.*s", length > 0 ? length : 0, cell->name + 5) < 0 ? NULL : name;
}

static int reduce_cell(struct collected *from, const struct keys *keys, bool lower_quartiles, double *scratch,
                       struct blocks_cell *cell)
{
    if (from->count)
        qsort(from->reading, from->count, sizeof *from->reading, by_key);
    struct worth worth = {.cycles = from->class == COMPARE_CORE,
                          .grade = best_grade(from),
                          .scale = 1 / from->divisor,
                          /* others only add to a time; of a gamma, the difference of two, they take away as well */
                          .lower_quartile = lower_quartiles && !from->gamma};
    if (from->gamma)
        worth.scale = gamma_scale(from, worth, scratch);
    *cell = (struct blocks_cell){
        .name = name_of(from),
        .class = from->class,
        .control = from->control,
        .cycles = worth.cycles,
        .value = calloc(keys->count + 1, sizeof(double)),
        .roof_s = calloc(keys->count + 1, sizeof(double)),
        .block = calloc(keys->count + 1, sizeof(unsigned)),
        .rejected = from->rejected,
        .model = from->model,
    };
    from->model.gamma = NULL; /* it is the cell's now */
    cell->model.core_hz = clock_of(from, scratch);
    if (!cell->name || !cell->value || !cell->roof_s || !cell->block)
        return -ENOMEM;
    if (worth.cycles && worth.grade == WALL)
        return 0; /* no clock agreed: there are no cycles to compare */
    cell->timed_s = median_of(from, 0, from->count, &worth, SECONDS, scratch, &cell->kept);
    for (size_t first = 0, end; first < from->count; first = end) {
        uint64_t key = key_of(&from->reading[first], keys->processes);
        for (end = first; end < from->count && key_of(&from->reading[end], keys->processes) == key;)
            end++;
        size_t used, roofs;
        double value = block_of(from, first, end, &worth, VALUE, scratch, &used);
        if (used < BLOCKS_LEAST_SAMPLES)
            continue;
        cell->value[cell->count] = value;
        cell->roof_s[cell->count] = block_of(from, first, end, &worth, ROOF, scratch, &roofs);
        cell->block[cell->count++] = position(keys, key);
    }
    return 0;
}

static size_t most_readings(const struct collection *all)
{
    size_t most = 0;
    for (size_t c = 0; c < all->count; c++)
        most = all->cell[c].count > most ? all->cell[c].count : most;
    return most;
}

/** Streams that are no roof are left out, and numbers of accumulators that are not the best of their sequence. */
static bool belongs(const struct collected *cell)
{
    if (!cell->count && !cell->rejected)
        return false;
    if (cell->gamma)
        return !cell->summarized || cell->best;
    return isfinite(cell->divisor) && !(begins(cell->name, "beta/") && cell->divisor == 1);
}

static int number_blocks(const struct keys *keys, struct blocks *blocks)
{
    blocks->number = calloc(keys->count + 1, sizeof *blocks->number);
    if (!blocks->number)
        return -ENOMEM;
    blocks->count = keys->count;
    for (size_t i = 0; i < keys->count; i++)
        blocks->number[i] = keys->processes ? (unsigned)keys->key[i] : (unsigned)i;
    return 0;
}

static int reduce(struct collection *all, struct blocks *blocks)
{
    struct keys keys;
    int error = find_keys(all, true, &keys);
    if (!error && keys.count < BLOCKS_LEAST_PROCESSES) {
        free(keys.key);
        error = find_keys(all, false, &keys);
    }
    double *scratch = calloc(most_readings(all) + 1, sizeof *scratch);
    blocks->cell = calloc(all->count + 1, sizeof *blocks->cell);
    if (!error && (!scratch || !blocks->cell))
        error = -ENOMEM;
    enum grade worst = GRADES;
    for (size_t c = 0; !error && c < all->count; c++) {
        struct collected *from = &all->cell[c];
        if (!belongs(from))
            continue;
        error = reduce_cell(from, &keys, all->lower_quartiles, scratch, &blocks->cell[blocks->cells++]);
        if (from->class == COMPARE_CORE && blocks->cell[blocks->cells - 1].count && best_grade(from) < worst)
            worst = best_grade(from);
    }
    if (!error) {
        blocks_sort(blocks);
        snprintf(blocks->clock, sizeof blocks->clock, "%s", worst == PMU ? "pmu" : worst == CHAIN ? "chain" : "");
        blocks->processes = keys.processes;
        error = number_blocks(&keys, blocks);
    }
    free(scratch);
    free(keys.key);
    return error;
}

static void release_collection(struct collection *all)
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

static int make(const struct run_records *records, bool lower_quartiles, struct blocks *blocks)
{
    struct collection all = {.index = json_object(), .left_out = json_object(), .lower_quartiles = lower_quartiles};
    *blocks = (struct blocks){
        .meta = json_deep_copy(records->meta), .noise = {NAN, NAN, {NAN, NAN}, {NAN, NAN}}, .layout = {NAN, NAN}};
    size_t i;
    json_t *record;
    json_array_foreach(records->records, i, record) leave_out(&all, record);
    json_array_foreach(records->records, i, record) take(&all, record);
    int error = all.failed || !all.index || !all.left_out || !blocks->meta ? -ENOMEM : all.samples ? 0 : -ENODATA;
    if (!error)
        error = reduce(&all, blocks);
    if (!error) {
        blocks->noise.neighbour_share = (double)all.met_neighbour / (double)all.samples;
        blocks_take_facts(records, blocks);
        blocks_spread(blocks);
    }
    release_collection(&all);
    if (error)
        blocks_release(blocks);
    return error;
}

int blocks_of_run(const struct run_records *records, struct blocks *blocks)
{
    return make(records, false, blocks);
}

int blocks_of_live_run(const struct run_records *records, struct blocks *blocks)
{
    return make(records, true, blocks);
}
