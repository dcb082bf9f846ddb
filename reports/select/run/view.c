/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/run/view.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/select/run/reported.h"
#include "results/files/need.h"
#include "results/records/samples.h"
#include "results/statistics/stats.h"

/** Weights of more bits are not low-bit: int8 and floats. */
#define NARROW_BITS 6

static const struct {
    const char *name, *command;
} types[VIEW_TYPES] = {
    [VIEW_CLOCK] = {"clock", "kneepoint beta"},     [VIEW_BETA] = {"beta", "kneepoint beta"},
    [VIEW_GAMMA] = {"gamma", "kneepoint gamma"},    [VIEW_SYNC] = {"sync", "kneepoint gemv"},
    [VIEW_PREPARE] = {"prepare", "kneepoint gemv"}, [VIEW_GEMV] = {"gemv", "kneepoint gemv"},
    [VIEW_KNEE] = {"knee", "kneepoint knee"},       [VIEW_LATENCY] = {"latency", "kneepoint beta --latency"},
    [VIEW_TERM] = {"term", "kneepoint terms"},      [VIEW_OMEGA] = {"omega", "kneepoint gemv"},
    [VIEW_POOL] = {"pool", "kneepoint beta"},       [VIEW_GEMM] = {"gemm", "kneepoint gemm"},
    [VIEW_DECODE] = {"decode", "kneepoint decode"}, [VIEW_PREFILL] = {"prefill", "kneepoint decode --prefill=512"},
    [VIEW_REPACK] = {"repack", "kneepoint gemv"},   [VIEW_MIXED] = {"mixed", "kneepoint quantize --mixed --into=RUN"},
    [VIEW_PREFETCHED] = {"", "kneepoint gemv"},     [VIEW_TILES] = {"tiles", "kneepoint beta --tiles"},
};

/* The fields that, with the name, identify a record of its type. */
static const char *const identity_fields[] = {
    "level",  "threads",   "accumulators",   "isa",   "m",    "k",      "n", "protocol",
    "kernel", "quantizer", "prefetch_bytes", "model", "head", "context"};

const char *view_type_name(enum view_type type)
{
    return types[type].name;
}

const char *view_type_command(enum view_type type)
{
    return types[type].command;
}

double view_number(const json_t *record, const char *field)
{
    const json_t *value = json_object_get(record, field);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

double view_median(const json_t *record, const char *field)
{
    const json_t *value = json_object_get(record, field);
    return json_is_object(value) ? view_number(value, "median") : view_number(record, field);
}

const char *view_text(const json_t *record, const char *field)
{
    const char *text = json_string_value(json_object_get(record, field));
    return text ? text : "";
}

bool view_flag(const json_t *record, const char *field)
{
    return json_is_true(json_object_get(record, field));
}

/* Identity of a summary record as one string, for the map of what was seen. Caller frees. */
static char *identity_of(const json_t *record)
{
    json_t *parts = json_array();
    json_array_append(parts, json_object_get(record, "type"));
    json_array_append(parts, json_object_get(record, "name"));
    for (size_t i = 0; i < sizeof identity_fields / sizeof *identity_fields; i++) {
        json_t *value = json_object_get(record, identity_fields[i]);
        if (value)
            json_array_append(parts, value);
        else
            json_array_append_new(parts, json_null());
    }
    char *identity = json_dumps(parts, JSON_COMPACT);
    json_decref(parts);
    return identity;
}

/* Put the record in place of an earlier one of the same identity, else at the end. */
static int rows_put(struct view_rows *rows, json_t *seen, const json_t *record)
{
    char *identity = identity_of(record);
    if (!identity)
        return -ENOMEM;
    const json_t *place = json_object_get(seen, identity);
    int error = 0;
    if (place) {
        rows->rows[json_integer_value(place)] = record;
    } else if (json_object_set_new(seen, identity, json_integer((json_int_t)rows->count)) != 0) {
        error = -ENOMEM;
    } else {
        rows->rows[rows->count++] = record;
    }
    free(identity);
    return error;
}

static int count_rejected(struct view *view, const char *cause)
{
    view->samples_rejected++;
    json_int_t count = json_integer_value(json_object_get(view->rejected, cause));
    return json_object_set_new(view->rejected, cause, json_integer(count + 1)) ? -ENOMEM : 0;
}

static int count_samples(struct view *view, const json_t *record)
{
    struct recorded_samples samples = {0};
    int error = samples_read(record, &samples);
    for (size_t i = 0; !error && i < samples.count; i++) {
        view->samples++;
        if (samples.sample[i].rejected)
            error = count_rejected(view, samples.sample[i].rejected);
    }
    samples_release(&samples);
    return error;
}

/* On a hybrid machine a report is about the first kind of core, the one that a team of one thread runs on; the gammas
 * of the others are in the platform file of the run. */
static bool is_of_another_kind(const struct view *view, const json_t *record)
{
    const struct view_rows *gammas = &view->of[VIEW_GAMMA];
    return gammas->count > 0 && strcmp(view_text(record, "kind"), view_text(gammas->rows[0], "kind")) != 0;
}

/* A GEMV, GEMM or pass that is not shared equally by a team of its own speed, or is of another member, names its cell: it is no
 * row of what reports are about. */
static bool is_of_a_schedule(enum view_type type, const json_t *record)
{
    return (type == VIEW_GEMV || type == VIEW_GEMM || type == VIEW_DECODE) && json_object_get(record, "cell") != NULL;
}

/* A GEMV with a prefetch of ours is another number than the kernel's as published, and stands apart. */
static bool is_prefetched(const json_t *record)
{
    return strcmp(view_text(record, "type"), "gemv") == 0 && strcmp(view_text(record, "settings"), "our prefetch") == 0;
}

static int index_record(struct view *view, json_t *seen, const json_t *record)
{
    const char *type = view_text(record, "type");
    if (samples_are_in(record))
        return count_samples(view, record);
    if (strcmp(type, "machine") == 0)
        view->machine = record;
    if (strcmp(type, "end") == 0)
        view->end = record;
    if (is_prefetched(record))
        return rows_put(&view->of[VIEW_PREFETCHED], seen, record);
    for (int i = 0; i < VIEW_TYPES; i++) {
        if (strcmp(type, types[i].name) == 0 && i == VIEW_GAMMA && is_of_another_kind(view, record))
            return 0;
        if (strcmp(type, types[i].name) == 0)
            return is_of_a_schedule((enum view_type)i, record) ? 0 : rows_put(&view->of[i], seen, record);
    }
    return 0;
}

static int add_reported(struct view_rows *rows, const char *field)
{
    rows->reported = need(rows->count + 1, sizeof *rows->reported);
    for (size_t i = 0; rows->reported && i < rows->count; i++) {
        rows->reported[i] = reported_row(rows->rows[i], field);
        rows->has_halves |= rows->reported[i] != NULL;
    }
    return rows->reported ? 0 : -ENOMEM;
}

/** Shells complete the name of a folder with a slash. */
static void read_name(const char *path, char *name, size_t size)
{
    size_t end = strlen(path);
    while (end > 0 && path[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    snprintf(name, size, "%.*s", (int)(end - begin), path + begin);
}

int view_open(const char *path, const struct run_records *records, struct view *view)
{
    *view = (struct view){.path = path, .meta = records->meta, .records = records, .rejected = json_object()};
    read_name(path, view->name, sizeof view->name);
    json_t *seen = json_object();
    size_t count = json_array_size(records->records);
    int error = view->rejected && seen ? 0 : -ENOMEM;
    for (int i = 0; i < VIEW_TYPES && !error; i++) {
        view->of[i].rows = need(count + 1, sizeof *view->of[i].rows);
        error = view->of[i].rows ? 0 : -ENOMEM;
    }
    for (size_t i = 0; i < count && !error; i++)
        error = index_record(view, seen, json_array_get(records->records, i));
    json_decref(seen);
    if (!error)
        error = add_reported(&view->of[VIEW_GAMMA], "gamma");
    if (!error)
        error = add_reported(&view->of[VIEW_GEMV], "time_s");
    if (!error)
        error = add_reported(&view->of[VIEW_GEMM], "time_s");
    if (!error)
        error = add_reported(&view->of[VIEW_PREFETCHED], "time_s");
    if (error)
        view_close(view);
    return error;
}

void view_close(struct view *view)
{
    for (int i = 0; i < VIEW_TYPES; i++) {
        for (size_t r = 0; view->of[i].reported && r < view->of[i].count; r++)
            json_decref(view->of[i].reported[r]);
        free(view->of[i].reported);
        free(view->of[i].rows);
    }
    json_decref(view->rejected);
    *view = (struct view){0};
}

bool view_has_run(const struct view *view)
{
    return json_array_size(view->records->records) > 0;
}

const char *view_machine_name(const struct view *view)
{
    const json_t *cpu = json_object_get(view->meta, "cpu");
    const char *name = view_text(view->machine, "cpu");
    if (!*name)
        name = view_text(cpu, "name");
    if (!*name)
        name = view_text(cpu, "brand");
    return *name ? name : "unknown CPU";
}

/* What the machine's record says of the CPU, else meta.json. */
static const char *cpu_text(const struct view *view, const char *field)
{
    const char *text = view_text(view->machine, field);
    return *text ? text : view_text(json_object_get(view->meta, "cpu"), field);
}

const char *view_microarchitecture(const struct view *view)
{
    return cpu_text(view, "microarchitecture");
}

const char *view_contradiction(const struct view *view)
{
    return cpu_text(view, "contradiction");
}

const char *view_emulator(const struct view *view)
{
    return run_emulator(view->records);
}

const char *view_run_name(const struct view *view)
{
    return view->name;
}

double view_samples_taken(const struct view *view, const json_t **rejected)
{
    double samples = view_number(view->end, "samples");
    *rejected = json_object_get(view->end, "rejected");
    if (json_is_object(*rejected) && samples > 0)
        return samples;
    *rejected = view->rejected;
    return (double)view->samples;
}

double view_samples_lost(const json_t *rejected)
{
    double lost = 0;
    const char *cause;
    json_t *count;
    json_object_foreach((json_t *)rejected, cause, count) lost += json_number_value(count);
    return lost;
}

const char *view_count(double count, char *text, size_t size)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%.0f", count);
    size_t at = 0;
    for (int i = 0; i < length && at + 2 < size; i++) {
        if (i && (length - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}

/** Why the run has no more cells; empty where there are no more. */
static void write_bound(const struct view *view, bool all, char *text, size_t size)
{
    const double budget_s = view_number(view->end, "budget_s"), bytes = view_number(view->end, "budget_bytes");
    if (!view_flag(view->end, "complete"))
        snprintf(text, size, ", its budget ran out");
    else if (all)
        text[0] = '\0';
    else if (budget_s > 0 && bytes > 0)
        snprintf(text, size, ", all that %.0f s and %.3g MB hold", budget_s, 1e-6 * bytes);
    else if (budget_s > 0)
        snprintf(text, size, ", all that %.0f s hold", budget_s);
    else
        snprintf(text, size, ", all that was planned");
}

static void write_coverage(const struct view *view, char *text, size_t size)
{
    char measured[48], every[48], bound[64];
    double planned = view_number(view->end, "cells"), without = view_number(view->end, "cells_skipped"),
           left_out = view_number(view->end, "cells_left_out"), dropped = view_number(view->end, "cells_dropped");
    double all = planned + (left_out > 0 ? left_out : 0) + (dropped > 0 ? dropped : 0);
    view_count(planned - (without > 0 ? without : 0), measured, sizeof measured);
    view_count(all, every, sizeof every);
    write_bound(view, !(all > planned), bound, sizeof bound);
    if (without > 0 || all > planned)
        snprintf(text, size, "%s of %s cells%s", measured, every, bound);
    else
        snprintf(text, size, "all %s cells%s", every, bound);
}

const char *view_run_state(const struct view *view, char *text, size_t size)
{
    if (view_flag(view->meta, "synthetic"))
        snprintf(text, size, "synthetic, nothing was measured");
    else if (!view->end)
        snprintf(text, size, "did not finish");
    else if (view_flag(view->end, "interrupted"))
        snprintf(text, size, "interrupted");
    else if (view_number(view->end, "cells") > 0)
        write_coverage(view, text, size);
    else
        snprintf(text, size, "the number of its cells was not recorded");
    return text;
}

static size_t add_team(unsigned *threads, size_t count, size_t capacity, double team)
{
    if (!(team >= 1 && team <= 1e6))
        return count;
    for (size_t i = 0; i < count && i < capacity; i++) {
        if (threads[i] == (unsigned)team)
            return count;
    }
    if (count < capacity)
        threads[count] = (unsigned)team;
    return count + 1;
}

static int by_value(const void *a, const void *b)
{
    unsigned left = *(const unsigned *)a, right = *(const unsigned *)b;
    return (left > right) - (left < right);
}

size_t view_teams(const struct view *view, unsigned *threads, size_t capacity)
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_BETA].count; i++) {
        const json_t *row = view->of[VIEW_BETA].rows[i];
        if (strcmp(view_text(row, "level"), "memory") == 0)
            count = add_team(threads, count, capacity, view_number(row, "threads"));
    }
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (view_is_cold(row))
            count = add_team(threads, count, capacity, view_number(row, "threads"));
    }
    if (count > capacity)
        count = capacity;
    qsort(threads, count, sizeof *threads, by_value);
    return count;
}

const char *const view_levels[VIEW_LEVELS] = {"L1", "L2", "L3", "memory"};

const json_t *view_roof(const struct view *view, const char *level, unsigned threads)
{
    const json_t *fastest = NULL, *roof = NULL;
    for (size_t i = 0; i < view->of[VIEW_BETA].count; i++) {
        const json_t *row = view->of[VIEW_BETA].rows[i];
        if (strcmp(view_text(row, "level"), level) != 0 || view_number(row, "threads") != threads)
            continue;
        if (view_flag(row, "roof"))
            roof = row; /* the last one, of a run that went on with another version */
        if (!fastest || view_median(row, "bytes_per_s") > view_median(fastest, "bytes_per_s"))
            fastest = row;
    }
    return roof ? roof : fastest;
}

const json_t *view_idle_latency(const struct view *view, const char *level)
{
    for (size_t i = 0; i < view->of[VIEW_LATENCY].count; i++) {
        const json_t *row = view->of[VIEW_LATENCY].rows[i];
        if (!(view_number(row, "readers") > 0) && strcmp(view_text(row, "level"), level) == 0 &&
            view_median(row, "latency_s") > 0)
            return row;
    }
    return NULL;
}

/* Clock that the memory roof was measured at. */
static double clock_of_roof(const struct view *view)
{
    unsigned teams[64];
    size_t count = view_teams(view, teams, 64);
    for (size_t i = 0; i < count; i++) {
        const json_t *roof = view_roof(view, "memory", teams[i]);
        double hz = view_median(roof, "bytes_per_s") / view_median(roof, "bytes_per_cycle_per_core") / teams[i];
        if (isfinite(hz))
            return hz;
    }
    return (double)NAN;
}

double view_clock_hz(const struct view *view)
{
    double clocks[256];
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_CLOCK].count && count < 256; i++) {
        double hz = view_median(view->of[VIEW_CLOCK].rows[i], "core_hz");
        if (hz > 0)
            clocks[count++] = hz;
    }
    if (!count)
        return clock_of_roof(view);
    return stats_median(clocks, count);
}

double view_busy_clock_hz(const struct view *view, unsigned threads)
{
    size_t count = 0;
    double *clocks = need(view->of[VIEW_GEMV].count + 1, sizeof *clocks);
    for (size_t i = 0; clocks && i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        double hz = view_median(row, "bytes_per_s") / view_median(row, "bytes_per_cycle_per_core") / threads;
        if (view_number(row, "threads") == threads && isfinite(hz) && hz > 0)
            clocks[count++] = hz;
    }
    double median = count ? stats_median(clocks, count) : view_clock_hz(view);
    free(clocks);
    return median;
}

double view_bits(const json_t *record)
{
    double bits = view_number(record, "bits");
    return isfinite(bits) ? bits : view_number(record, "bytes_per_vector") / 4;
}

bool view_is_experiment(const json_t *gamma)
{
    const char *format = view_text(gamma, "format");
    return strcmp(format, "c2") == 0 || strcmp(format, "elut") == 0;
}

double view_format_bits(const json_t *record)
{
    double bits = view_number(record, "format_bits");
    return isfinite(bits) ? bits : view_bits(record);
}

const char *view_origin(const json_t *record)
{
    const char *origin = view_text(record, "origin");
    const char *sequence = view_text(record, "sequence");
    if (!*origin)
        return strcmp(sequence, "envelope") == 0 || strcmp(sequence, "paper") == 0 ? "the paper" : "";
    return strcmp(origin, "kneepoint") == 0 ? "" : origin;
}

bool view_is_paper(const json_t *record)
{
    return *view_origin(record) && !(view_format_bits(record) > NARROW_BITS);
}

bool view_is_wrong(const json_t *gemv)
{
    return json_is_false(json_object_get(gemv, "exact")) && !view_flag(gemv, "within_bound");
}

bool view_is_cold(const json_t *gemv)
{
    return strcmp(view_text(gemv, "protocol"), "cold") == 0;
}

bool view_same_width(const json_t *a, const json_t *b)
{
    return fabs(log2(view_format_bits(a) / view_format_bits(b))) < 0.1;
}

bool view_same_family(const json_t *a, const json_t *b)
{
    return view_same_width(a, b) && view_is_paper(a) == view_is_paper(b);
}

static int by_family(const void *a, const void *b)
{
    const json_t *left = *(const json_t *const *)a, *right = *(const json_t *const *)b;
    double wider = view_format_bits(right) - view_format_bits(left);
    if (!view_same_width(left, right))
        return wider > 0 ? 1 : -1;
    return (int)view_is_paper(right) - (int)view_is_paper(left);
}

/** Whether any gamma record names the bits of its format, which those do that have a kernel. */
static bool names_formats(const struct view *view)
{
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        if (isfinite(view_number(view->of[VIEW_GAMMA].rows[i], "format_bits")))
            return true;
    }
    return false;
}

static bool stands_for_kernels(const json_t *row, bool named)
{
    /* cycles that no clock counted are in no headline */
    bool counted = strcmp(view_text(json_object_get(row, "gamma"), "grade"), "wall") != 0;
    return view_flag(row, "usable") && counted && view_median(row, "gamma") > 0 && view_bits(row) > 0 &&
           !view_is_experiment(row) && (!named || isfinite(view_number(row, "format_bits")));
}

bool view_is_candidate(const struct view *view, const json_t *gamma)
{
    return stands_for_kernels(gamma, names_formats(view));
}

/* The candidates of the family of a row, by index. */
static size_t family_of(const struct view *view, const json_t *family, bool named, size_t *index)
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (stands_for_kernels(row, named) && view_same_family(family, row))
            index[count++] = i;
    }
    return count;
}

size_t view_best_gammas(const struct view *view, const json_t **rows, size_t capacity)
{
    size_t count = 0;
    bool named = names_formats(view);
    size_t *index = need(view->of[VIEW_GAMMA].count + 1, sizeof *index);
    for (size_t i = 0; index && i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        bool known = !stands_for_kernels(row, named);
        for (size_t at = 0; at < count && !known; at++)
            known = view_same_family(rows[at], row);
        if (known || count == capacity)
            continue;
        struct best best = reported_best(view, VIEW_GAMMA, index, family_of(view, row, named, index));
        if (best.known)
            rows[count++] = best.row;
    }
    free(index);
    qsort(rows, count, sizeof *rows, by_family);
    return count;
}
