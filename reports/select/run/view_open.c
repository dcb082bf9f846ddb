/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/select/run/reported.h"
#include "results/files/need.h"
#include "results/records/samples.h"

/* The fields that, with the name, identify a record of its type. */
static const char *const identity_fields[] = {
    "level",     "threads",        "accumulators", "isa",  "m",       "k",        "n",     "protocol", "kernel",
    "quantizer", "prefetch_bytes", "model",        "head", "context", "contexts", "users", "cache"};

/* Identity of a summary record as one string, for the map of what was seen. Caller frees. */
static char *identity_of(const json_t *record)
{
    json_auto_t *parts = json_array();
    json_array_append(parts, json_object_get(record, "type"));
    json_array_append(parts, json_object_get(record, "name"));
    for (size_t i = 0; i < sizeof identity_fields / sizeof *identity_fields; i++) {
        json_t *value = json_object_get(record, identity_fields[i]);
        if (value)
            json_array_append(parts, value);
        else
            json_array_append_new(parts, json_null());
    }
    return json_dumps(parts, JSON_COMPACT);
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

/* Another number than that of figures that compare kernels, whose keys and values are all in bf16; former runs do not say so. */
static bool is_cached(const json_t *record)
{
    const char *cache = view_text(record, "cache");
    return strcmp(view_text(record, "type"), "decode") == 0 && cache[0] && strcmp(cache, "bf16") != 0;
}

/* A token of each of several users is no token alone, even of one user: it goes through GEMMs. */
static bool is_batch(const json_t *record)
{
    return strcmp(view_text(record, "type"), "decode") == 0 && json_object_get(record, "users") != NULL;
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
    if (is_cached(record))
        return is_batch(record) || is_of_a_schedule(VIEW_DECODE, record)
                   ? 0
                   : rows_put(&view->of[VIEW_CACHED], seen, record);
    if (is_batch(record))
        return rows_put(&view->of[VIEW_BATCH], seen, record);
    for (int i = 0; i < VIEW_TYPES; i++) {
        if (strcmp(type, view_type_name((enum view_type)i)) == 0 && i == VIEW_GAMMA && is_of_another_kind(view, record))
            return 0;
        if (strcmp(type, view_type_name((enum view_type)i)) == 0)
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
