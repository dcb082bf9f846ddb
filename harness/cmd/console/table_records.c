/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What commands write as JSON Lines, as CSV and as Markdown.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cmd/console/table.h"
#include "results/records/record.h"

/* ---- records without depth ---- */

static int flatten(const char *name, const json_t *value, json_t *flat);

static bool is_quantity(const json_t *value)
{
    return json_is_object(value) && json_object_get(value, "median") && json_object_get(value, "ci95") &&
           json_object_get(value, "n");
}

static int set_flat(json_t *flat, const char *name, const char *suffix, json_t *value)
{
    char whole[256];
    snprintf(whole, sizeof whole, "%s%s", name, suffix);
    return json_object_set_new(flat, whole, value);
}

/** The median under the name of the quantity, followed by its interval, samples kept and grade. */
static int flatten_quantity(const char *name, const json_t *quantity, json_t *flat)
{
    json_t *interval = json_object_get(quantity, "ci95");
    return set_flat(flat, name, "", json_incref(json_object_get(quantity, "median"))) |
           set_flat(flat, name, ".low",
                    json_is_array(interval) ? json_incref(json_array_get(interval, 0)) : json_null()) |
           set_flat(flat, name, ".high",
                    json_is_array(interval) ? json_incref(json_array_get(interval, 1)) : json_null()) |
           set_flat(flat, name, ".n", json_incref(json_object_get(quantity, "n"))) |
           set_flat(flat, name, ".grade",
                    json_object_get(quantity, "grade") ? json_incref(json_object_get(quantity, "grade")) : json_null());
}

static int flatten_object(const char *name, const json_t *object, json_t *flat)
{
    const char *key;
    json_t *value;
    int error = 0;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        char whole[256];
        snprintf(whole, sizeof whole, "%s%s%s", name, *name ? "." : "", key);
        error |= flatten(whole, value, flat);
    }
    return error;
}

/** Scalars are their fields, quantities five, an object each of its own, and an array is its JSON. */
static int flatten(const char *name, const json_t *value, json_t *flat)
{
    if (is_quantity(value))
        return flatten_quantity(name, value, flat);
    if (json_is_object(value))
        return flatten_object(name, value, flat);
    if (!json_is_array(value))
        return json_object_set(flat, name, (json_t *)(uintptr_t)value);
    char *text = json_dumps(value, JSON_COMPACT);
    int error = text ? json_object_set_new(flat, name, json_string(text)) : -1;
    free(text);
    return error;
}

/** @return array of flat records, NULL without memory */
static json_t *flat_records(const json_t *records)
{
    json_t *all = json_array(), *record;
    size_t i;
    int error = all ? 0 : -1;
    json_array_foreach((json_t *)(uintptr_t)records, i, record)
    {
        json_t *flat = json_object();
        error = error || !flat || flatten("", record, flat) || json_array_append(all, flat);
        json_decref(flat);
    }
    if (!error)
        return all;
    json_decref(all);
    return NULL;
}

/** Their fields in the order in which they come first; NULL without memory. */
static json_t *fields_of(const json_t *flat)
{
    json_t *fields = json_object(), *record, *value;
    const char *key;
    size_t i;
    int error = fields ? 0 : -1;
    json_array_foreach((json_t *)(uintptr_t)flat, i, record)
    {
        json_object_foreach(record, key, value)
        {
            if (!json_object_get(fields, key))
                error |= json_object_set_new(fields, key, json_true());
        }
    }
    if (!error)
        return fields;
    json_decref(fields);
    return NULL;
}

/* ---- CSV ---- */

/** As RFC 4180 has it: quoted where a comma, a quote or a line end is in it. */
static void write_csv_text(FILE *stream, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++)
        fprintf(stream, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', stream);
}

/** Null and what is not there are empty. */
static void write_csv_value(FILE *stream, const json_t *value)
{
    if (json_is_string(value)) {
        write_csv_text(stream, json_string_value(value));
    } else if (json_is_real(value)) {
        fprintf(stream, "%.9g", json_real_value(value));
    } else if (json_is_integer(value)) {
        fprintf(stream, "%lld", (long long)json_integer_value(value));
    } else if (json_is_boolean(value)) {
        fputs(json_is_true(value) ? "true" : "false", stream);
    }
}

int table_write_csv(FILE *stream, const json_t *records)
{
    json_t *flat = flat_records(records), *fields = flat ? fields_of(flat) : NULL, *record, *unused;
    const char *key;
    size_t i;
    if (fields && json_object_size(fields)) {
        bool first = true;
        json_object_foreach(fields, key, unused)
        {
            fputs(first ? "" : ",", stream);
            write_csv_text(stream, key);
            first = false;
        }
        fputc('\n', stream);
        json_array_foreach(flat, i, record)
        {
            first = true;
            json_object_foreach(fields, key, unused)
            {
                fputs(first ? "" : ",", stream);
                write_csv_value(stream, json_object_get(record, key));
                first = false;
            }
            fputc('\n', stream);
        }
    }
    int error = fields ? 0 : -ENOMEM;
    json_decref(flat);
    json_decref(fields);
    return error;
}

/* ---- Markdown ---- */

enum { FIELDS_MOST = 128 };

/** What every record of the type has is its table: intervals, counts and grades are left to CSV. */
static int write_by_fields(FILE *stream, const json_t *records, const char *sort)
{
    static const char *const left_out[] = {".low", ".high", ".n", ".grade"};
    struct table_column columns[FIELDS_MOST] = {0};
    json_t *flat = flat_records(records), *fields = flat ? fields_of(flat) : NULL, *unused;
    struct table table = {.columns = columns};
    const char *key;
    int error = fields ? 0 : -ENOMEM;
    json_object_foreach(fields, key, unused)
    {
        bool shown = strcmp(key, "type") != 0 && table.count < FIELDS_MOST;
        for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) {
            size_t length = strlen(left_out[i]);
            shown = shown && (strlen(key) < length || strcmp(key + strlen(key) - length, left_out[i]) != 0);
        }
        if (shown)
            columns[table.count++] = (struct table_column){key, key, .left = true};
    }
    if (!error)
        error = table_write(stream, &table, flat, &(struct table_style){.form = TABLE_FORM_MARKDOWN, .sort = sort});
    json_decref(flat);
    json_decref(fields);
    return error;
}

static const struct table *table_of(const struct table *const *tables, const char *type)
{
    while (tables && *tables && strcmp((*tables)->type, type) != 0)
        tables++;
    return tables ? *tables : NULL;
}

static int write_type(FILE *stream, const struct table *const *tables, const char *type, const json_t *records,
                      const char *sort)
{
    const struct table *table = table_of(tables, type);
    const struct table_style style = {.form = TABLE_FORM_MARKDOWN, .sort = sort};
    return table ? table_write(stream, table, records, &style) : write_by_fields(stream, records, sort);
}

/** Types in the order in which they come first; a heading each where there are several. */
int table_write_markdown(FILE *stream, const struct table *const *tables, const json_t *records, const char *sort)
{
    json_t *types = json_object(), *record, *of_type;
    const char *key;
    size_t i;
    int error = types ? 0 : -ENOMEM;
    json_array_foreach((json_t *)(uintptr_t)records, i, record)
    {
        const char *type = json_string_value(json_object_get(record, "type"));
        type = type ? type : "record";
        if (!json_object_get(types, type))
            error |= json_object_set_new(types, type, json_array());
        error |= json_array_append(json_object_get(types, type), record);
    }
    bool several = json_object_size(types) > 1, first = true;
    json_object_foreach(types, key, of_type)
    {
        const struct table *table = table_of(tables, key);
        if (several)
            fprintf(stream, "%s### %s\n\n", first ? "" : "\n", table && table->title ? table->title : key);
        first = false;
        error = error ? error : write_type(stream, tables, key, of_type, sort);
    }
    json_decref(types);
    return error ? -ENOMEM : 0;
}
