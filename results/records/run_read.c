/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/files/input.h"
#include "results/records/record.h"
#include "results/records/run.h"
#include "results/records/samples.h"
#include "results/records/undersampled.h"
#include "results/schema/record_schema.h"
#include "results/text/refuse.h"
#include "results/text/text_escape.h"

static int refuse_schema(const char *path, json_int_t schema, char *why, size_t size)
{
    return refuse(-EINVAL, why, size,
                  "%s: its records have schema %lld, but this version reads %d: measure again with this version", path,
                  (long long)schema, RECORD_SCHEMA);
}

static bool is_blank(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!isspace((unsigned char)line[i]))
            return false;
    }
    return true;
}

/** What is wrong may quote the line. */
static void count_bad(struct run_records *records, size_t number, const char *field, const char *reason)
{
    char text[sizeof records->first_bad_reason];
    if (records->bad_lines++ > 0)
        return;
    records->first_bad_line = number;
    snprintf(text, sizeof text, "%s%s%s", field, *field ? " " : "", reason);
    text_escape(text, records->first_bad_reason, sizeof records->first_bad_reason);
}

static int keep(struct run_records *records, json_t *record)
{
    if (text_escape_json(record) || null_undersampled(record) || json_array_append_new(records->records, record))
        return -ENOMEM;
    return 0;
}

/**
 * No quantity of a machine is larger, or smaller unless it is 0; sums, products and quotients of what lies between are
 * finite, in figures too.
 */
static const double most = 1e30, least = 1e-30;

static bool is_beyond(double number)
{
    return !(fabs(number) <= most) || (number != 0 && fabs(number) < least);
}

/** A number that no machine can have, or NULL. */
static const json_t *number_beyond(const json_t *value)
{
    size_t i;
    const char *name;
    json_t *item;
    const json_t *beyond = NULL;
    if (json_is_number(value))
        return is_beyond(json_number_value(value)) ? value : NULL;
    json_array_foreach(value, i, item)
    {
        beyond = beyond ? beyond : number_beyond(item);
    }
    json_object_foreach((json_t *)value, name, item)
    {
        beyond = beyond ? beyond : number_beyond(item);
    }
    return beyond;
}

/** One sample a record: schema 1, where no meta.json says so. */
static bool is_former(const json_t *record)
{
    const char *type = json_string_value(json_object_get(record, "type"));
    return type && strcmp(type, "sample") == 0;
}

/*
 * A damaged line is left out and counted; whether it was cut short or is wrong shows in its newline. A field that is
 * missing is no damage, since other versions write others; one that is there and wrong is.
 */
static int take_line(const char *line, size_t length, size_t number, const json_t *schema, struct run_records *records)
{
    json_error_t at;
    struct schema_violation wrong;
    char why[SCHEMA_REASON_SIZE];
    json_t *value = json_loadb(line, length, 0, &at);
    if (is_former(value)) {
        json_decref(value);
        return -EPROTO;
    }
    if (value && record_check(schema, value, SCHEMA_MISSING_IS_FINE, &wrong) != 0)
        count_bad(records, number, wrong.path, wrong.reason);
    else if (number_beyond(value))
        count_bad(records, number, "", "has a number beyond 1e30, or below 1e-30");
    else if (value && samples_check(value, why, sizeof why) != 0)
        count_bad(records, number, "", why);
    else if (record_is_valid(value))
        return keep(records, value);
    else if (line[length - 1] != '\n')
        records->truncated = true;
    else
        count_bad(records, number, "", value ? "is not an object with a type" : at.text);
    json_decref(value);
    return 0;
}

static int read_lines(FILE *file, struct run_records *records)
{
    char *line = NULL;
    size_t capacity = 0;
    json_t *schema = record_schema();
    int error = schema ? 0 : -ENOMEM;
    size_t number = 0;
    size_t length;
    int more = 0;
    while (error == 0 && (more = input_line(file, &line, &capacity, &length)) > 0) {
        number++;
        if (!is_blank(line, length))
            error = take_line(line, length, number, schema, records);
    }
    if (more < 0)
        error = more;
    json_decref(schema);
    free(line);
    return error;
}

static int read_record_file(const char *path, struct run_records *records, char *why, size_t size)
{
    FILE *file;
    int error = input_open(path, &file);
    if (error)
        return refuse(error, why, size, "cannot open %s: %s", path, input_error(error));
    error = read_lines(file, records);
    fclose(file);
    if (error == -EPROTO)
        return refuse_schema(path, 1, why, size);
    return error == 0 ? 0 : refuse(error, why, size, "cannot read %s: %s", path, input_error(error));
}

/* Nothing else than the first line tells a bare record file from any other text. */
static int read_bare(const char *path, struct run_records *records, char *why, size_t size)
{
    records->meta = json_object();
    int error = read_record_file(path, records, why, size);
    if (error != 0)
        return error;
    if (records->first_bad_line == 1)
        return refuse(-EINVAL, why, size,
                      "%s line 1 is not a Kneepoint record (%s); name a run folder or its records.jsonl", path,
                      records->first_bad_reason);
    if (json_array_size(records->records) == 0)
        return refuse(-EINVAL, why, size, "%s holds no whole record; name a run folder or its records.jsonl", path);
    return 0;
}

static int read_meta(const char *folder, const char *path, struct run_records *records, char *why, size_t size)
{
    struct stat status;
    if (stat(path, &status) != 0 && errno == ENOENT)
        return refuse(-ENOENT, why, size,
                      "%s holds no run (no meta.json); name a run folder such as results/runs/<platform>/<run>",
                      folder);
    char wrong[512];
    records->meta = input_json(path, wrong, sizeof wrong);
    if (!records->meta)
        return refuse(-EINVAL, why, size, "%s %s; the run cannot be used without it", path, wrong);
    if (!json_object_get(records->meta, "kneepoint"))
        return refuse(-EINVAL, why, size, "%s is not Kneepoint's (no \"kneepoint\" key); name a run folder", path);
    const json_t *schema = json_object_get(records->meta, "schema");
    if (schema && json_integer_value(schema) != RECORD_SCHEMA)
        return refuse_schema(path, json_integer_value(schema), why, size);
    const json_t *emulator = json_object_get(json_object_get(records->meta, "cpu"), "emulated");
    if (emulator && !json_is_string(emulator))
        return refuse(-EINVAL, why, size, "%s: \"emulated\" of \"cpu\" is not the name of an emulator", path);
    return text_escape_json(records->meta);
}

static char *file_in(const char *folder, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/** Of a run that is kept, they may be packed. */
static char *records_in(const char *folder)
{
    char *plain = file_in(folder, "records.jsonl"), *packed = file_in(folder, "records.jsonl" INPUT_PACKED);
    const bool is_packed = plain && packed && access(plain, F_OK) != 0 && access(packed, F_OK) == 0;
    free(is_packed ? plain : packed);
    return is_packed ? packed : plain;
}

static int read_folder(const char *folder, struct run_records *records, char *why, size_t size)
{
    char *meta = file_in(folder, "meta.json");
    char *lines = records_in(folder);
    int error;
    if (!meta || !lines)
        error = refuse(-ENOMEM, why, size, "no memory left to read %s", folder);
    else
        error = read_meta(folder, meta, records, why, size);
    if (error == 0)
        error = read_record_file(lines, records, why, size);
    free(lines);
    free(meta);
    return error;
}

int run_read(const char *path, struct run_records *records, char *why, size_t size)
{
    *records = (struct run_records){.records = json_array()};
    struct stat status;
    int error;
    if (!records->records)
        error = refuse(-ENOMEM, why, size, "no memory left to read %s", path);
    else if (stat(path, &status) != 0)
        error = refuse(-errno, why, size, "no run at %s: %s", path, strerror(errno));
    else if (S_ISDIR(status.st_mode))
        error = read_folder(path, records, why, size);
    else if (S_ISREG(status.st_mode))
        error = read_bare(path, records, why, size);
    else
        error = refuse(-EINVAL, why, size, "%s is neither a run folder nor a record file", path);
    if (error != 0)
        run_records_free(records);
    return error;
}

const char *run_emulator(const struct run_records *records)
{
    const char *name = json_string_value(json_object_get(json_object_get(records->meta, "cpu"), "emulated"));
    for (size_t i = 0; !name && i < json_array_size(records->records); i++)
        name = json_string_value(json_object_get(json_array_get(records->records, i), "emulated"));
    return name ? name : "";
}

int run_needs_machine(const char *path, const struct run_records *records, char *why, size_t size)
{
    const char *emulator = run_emulator(records);
    return emulator[0]
               ? refuse(-EXDEV, why, size,
                        "%s is of a machine that %s emulates: its times are the emulator's and cannot be compared; "
                        "leave it out, or measure on real hardware",
                        path, emulator)
               : 0;
}

struct run_damage run_damage_of(const struct run_records *records)
{
    return (struct run_damage){.empty = json_array_size(records->records) == 0,
                               .truncated = records->truncated,
                               .bad_lines = records->bad_lines};
}

void run_records_free(struct run_records *records)
{
    json_decref(records->meta);
    json_decref(records->records);
    *records = (struct run_records){0};
}
