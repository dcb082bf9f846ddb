/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See tuning.h.
 */
#include "results/tuned/tuning.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "embedded.h"
#include "results/files/diffable_json.h"
#include "results/files/input.h"
#include "results/records/record.h"
#include "results/schema/schema.h"
#include "results/text/refuse.h"
#include "results/tuned/tuning_match.h"

enum { VERSION = 1 };
static const char key[] = "kneepoint_tuning";

int tuning_add(struct tuning_table *table, const struct tuning_cell *cell)
{
    if (table->count == table->capacity) {
        size_t capacity = table->capacity ? 2 * table->capacity : 16;
        struct tuning_cell *grown = realloc(table->cell, capacity * sizeof *grown);
        if (!grown)
            return -ENOMEM;
        table->cell = grown;
        table->capacity = capacity;
    }
    table->cell[table->count++] = *cell;
    return 0;
}

void tuning_release(struct tuning_table *table)
{
    json_decref(table->made_by);
    free(table->cell);
    *table = (struct tuning_table){0};
}

/** Whether one of the first `count` cells is of the same problem: which of its kernels is best was decided there. */
static bool has_problem(const struct tuning_table *table, size_t count, const struct tuning_problem *problem)
{
    for (size_t i = 0; i < count; i++) {
        const struct tuning_problem *own = &table->cell[i].problem;
        if (tuning_is_of_family(own, problem) && tuning_distance(own, problem) == 0)
            return true;
    }
    return false;
}

int tuning_merge(struct tuning_table *table, const struct tuning_table *others)
{
    size_t own = table->count;
    int error = 0;
    for (size_t i = 0; !error && i < others->count; i++) {
        if (!has_problem(table, own, &others->cell[i].problem))
            error = tuning_add(table, &others->cell[i]);
    }
    return error;
}

int tuning_path(const char *results, const char *platform, char *path, size_t size)
{
    int length = snprintf(path, size, "%s/tuning/%s.json", results, platform);
    return length < 0 || (size_t)length >= size ? -ENAMETOOLONG : 0;
}

/* ---- to JSON ---- */

static json_t *left_out_json(const struct tuning_cell *cell)
{
    if (!cell->left_out_kernel[0])
        return json_null();
    return json_pack("{s:s, s:I, s:I, s:I, s:o}", "kernel", cell->left_out_kernel, "m", (json_int_t)cell->left_out_m,
                     "k", (json_int_t)cell->left_out_k, "n", (json_int_t)cell->left_out_n, "time_s",
                     record_number_or_null(cell->left_out_time_s));
}

json_t *tuning_cell_json(const struct tuning_cell *cell)
{
    char name[3 * TUNING_NAME];
    const struct tuning_problem *problem = &cell->problem;
    const char *product = cell->gemm ? "gemm" : "gemv", *protocol = problem->cold ? "cold" : "warm";
    snprintf(name, sizeof name, "%s/%s/%zux%zu/n%zu/t%u/%s", product, cell->kernel, problem->m, problem->k, problem->n,
             problem->threads, protocol);
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:f, s:I, s:I, s:I, s:i, s:s, s:s, s:s, s:b, s:I, s:s, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:o}",
        "type", "tuned", "name", name, "product", product, "format", problem->format, "takes", problem->takes,
        "error_bound", problem->error_bound, "m", (json_int_t)problem->m, "k", (json_int_t)problem->k, "n",
        (json_int_t)problem->n, "threads", (int)problem->threads, "protocol", protocol, "kernel", cell->kernel, "isa",
        cell->isa, "best", cell->best, "prefetch_bytes", (json_int_t)cell->prefetch_bytes, "share",
        cell->shares_tokens ? "tokens" : "rows", "variant", cell->variant[0] ? json_string(cell->variant) : json_null(),
        "time_s", record_number_or_null(cell->time_s), "default_time_s", record_number_or_null(cell->default_time_s),
        "kept", (json_int_t)cell->kept, "default_kept", (json_int_t)cell->default_kept, "candidates",
        (json_int_t)cell->candidates, "seen", (json_int_t)cell->seen, "left_out", left_out_json(cell));
}

json_t *tuning_loss_json(const struct tuning_table *table)
{
    const struct tuning_loss loss = tuning_loss(table);
    return json_pack("{s:I, s:o, s:o}", "problems", (json_int_t)loss.problems, "geometric_mean",
                     record_number_or_null(loss.geometric_mean), "worst", record_number_or_null(loss.worst));
}

int tuning_write(const char *path, const struct tuning_table *table, char *why, size_t size)
{
    json_t *cells = json_array(), *object = json_pack("{s:i}", key, VERSION);
    for (size_t i = 0; i < table->count; i++)
        json_array_append_new(cells, tuning_cell_json(&table->cell[i]));
    int error = object && cells && json_object_update(object, table->made_by) == 0 &&
                        json_object_set_new(object, "leave_one_out", tuning_loss_json(table)) == 0 &&
                        json_object_set(object, "cells", cells) == 0 && json_array_size(cells) == table->count
                    ? diffable_json_write(path, object, why, size)
                    : refuse(-ENOMEM, why, size, "no memory left to write %s", path);
    json_decref(cells);
    json_decref(object);
    return error;
}

/* ---- from JSON ---- */

static json_t *schema_of_tables(void)
{
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        if (strcmp(file->path, "results/tuning.schema.json") == 0)
            return json_loadb(file->bytes, file->length, 0, NULL);
    }
    return NULL;
}

/** Of a field within the bounds of the schema, for which 2.0 is an integer, too. */
static size_t count_of(const json_t *object, const char *field)
{
    return (size_t)json_number_value(json_object_get(object, field));
}

/** Of a field that may be null or absent: "". @return whether it fits */
static bool copy_text(const json_t *object, const char *field, char *text, size_t size)
{
    const char *value = json_string_value(json_object_get(object, field));
    return (size_t)snprintf(text, size, "%s", value ? value : "") < size;
}

static bool has_text(const json_t *object, const char *field, const char *text)
{
    const char *value = json_string_value(json_object_get(object, field));
    return value && strcmp(value, text) == 0;
}

/** A cell that the schema allows. @return whether its names are as long as names are */
static bool cell_from(const json_t *json, struct tuning_cell *cell)
{
    const json_t *left_out = json_object_get(json, "left_out");
    *cell = (struct tuning_cell){
        .problem = {.error_bound = record_number_or_nan(json, "error_bound"),
                    .threads = (unsigned)count_of(json, "threads"),
                    .cold = has_text(json, "protocol", "cold"),
                    .m = count_of(json, "m"),
                    .k = count_of(json, "k"),
                    .n = count_of(json, "n")},
        .gemm = has_text(json, "product", "gemm"),
        .best = json_is_true(json_object_get(json, "best")),
        .prefetch_bytes = count_of(json, "prefetch_bytes"),
        .shares_tokens = has_text(json, "share", "tokens"),
        .time_s = record_number_or_nan(json, "time_s"),
        .default_time_s = record_number_or_nan(json, "default_time_s"),
        .kept = count_of(json, "kept"),
        .default_kept = count_of(json, "default_kept"),
        .candidates = count_of(json, "candidates"),
        .seen = count_of(json, "seen"),
        .left_out_m = count_of(left_out, "m"),
        .left_out_k = count_of(left_out, "k"),
        .left_out_n = count_of(left_out, "n"),
        .left_out_time_s = record_number_or_nan(left_out, "time_s"),
    };
    return copy_text(json, "format", cell->problem.format, TUNING_WORD) &&
           copy_text(json, "takes", cell->problem.takes, TUNING_WORD) &&
           copy_text(json, "kernel", cell->kernel, TUNING_NAME) && copy_text(json, "isa", cell->isa, TUNING_WORD) &&
           copy_text(json, "variant", cell->variant, TUNING_WORD) &&
           copy_text(left_out, "kernel", cell->left_out_kernel, TUNING_NAME);
}

static int cells_from(const char *path, const json_t *object, struct tuning_table *table, char *why, size_t size)
{
    size_t i;
    json_t *json, *cells = json_object_get(object, "cells");
    json_array_foreach(cells, i, json)
    {
        struct tuning_cell cell;
        if (!cell_from(json, &cell))
            return refuse(-EINVAL, why, size,
                          "%s: a name in cells[%zu] is too long; remove it, and `kneepoint tune` writes another", path,
                          i);
        if (tuning_add(table, &cell))
            return refuse(-ENOMEM, why, size, "no memory left to read %s", path);
    }
    return 0;
}

/** Whether it is a table of this version, field by field. */
static int validate(const char *path, const json_t *object, char *why, size_t size)
{
    const json_t *version = json_object_get(object, key);
    if (!json_is_integer(version))
        return refuse(-EINVAL, why, size, "%s is not a tuning table (no \"%s\"); is it another file?", path, key);
    if (json_integer_value(version) != VERSION)
        return refuse(
            -EINVAL, why, size,
            "%s is a tuning table of version %lld, but this program writes %d; remove it, and `kneepoint tune` writes "
            "another",
            path, (long long)json_integer_value(version), VERSION);
    json_t *schema = schema_of_tables();
    struct schema_violation violation;
    int error = schema ? schema_validate(schema, schema, object, SCHEMA_MISSING_IS_WRONG, &violation)
                       : refuse(-ENOMEM, why, size, "no memory left to read %s", path);
    if (schema && error)
        error = refuse(error, why, size, "%s: %s %s; remove it, and `kneepoint tune` writes another", path,
                       violation.path, violation.reason);
    json_decref(schema);
    return error;
}

static json_t *made_by_of(const json_t *object)
{
    json_t *made_by = json_object();
    static const char *const fields[] = {"kneepoint", "cpu", "topology", "isa", "compiler", "flags", "code"};
    for (size_t i = 0; made_by && i < sizeof fields / sizeof *fields; i++) {
        json_t *value = json_object_get(object, fields[i]);
        if (value)
            json_object_set(made_by, fields[i], value);
    }
    return made_by;
}

int tuning_read(const char *path, struct tuning_table *table, char *why, size_t size)
{
    *table = (struct tuning_table){0};
    if (access(path, F_OK) != 0)
        return refuse(-errno, why, size, "no file %s: %s", path, strerror(errno));
    FILE *file;
    int error = input_open(path, &file);
    if (error)
        return refuse(-EINVAL, why, size, "cannot read %s: %s; name a table of `kneepoint tune`", path,
                      input_error(error));
    char wrong[512];
    json_t *object;
    error = input_json_of(file, 0, &object, wrong, sizeof wrong);
    fclose(file);
    if (error)
        return refuse(-EINVAL, why, size, "%s %s%s", path, wrong,
                      error == -EINVAL ? "; remove it, and `kneepoint tune` writes another" : "");
    error = validate(path, object, why, size);
    if (!error)
        error = cells_from(path, object, table, why, size);
    table->made_by = error ? NULL : made_by_of(object);
    json_decref(object);
    if (error)
        tuning_release(table);
    return error;
}
