/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/described_fields.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct unit {
    const char *name;
    enum dimension dimension;
    double factor;
};

static const struct unit units[] = {
    {"B/s", DIMENSION_BANDWIDTH, 1},
    {"GB/s", DIMENSION_BANDWIDTH, 1e9},
    {"GiB/s", DIMENSION_BANDWIDTH, 1024.0 * 1024 * 1024},
    {"Hz", DIMENSION_FREQUENCY, 1},
    {"MHz", DIMENSION_FREQUENCY, 1e6},
    {"GHz", DIMENSION_FREQUENCY, 1e9},
    {"B/cycle", DIMENSION_BYTES_PER_CYCLE, 1},
    {"cycles", DIMENSION_CYCLES, 1},
    {"s", DIMENSION_TIME, 1},
    {"us", DIMENSION_TIME, 1e-6},
    {"ns", DIMENSION_TIME, 1e-9},
};

enum { UNIT_COUNT = sizeof units / sizeof *units, UNIT_LIST_SIZE = 64 };

const char *field_member(char path[FIELD_PATH_SIZE], const char *parent, const char *member)
{
    if (snprintf(path, FIELD_PATH_SIZE, "%s.%s", parent, member) >= FIELD_PATH_SIZE)
        strcpy(path + FIELD_PATH_SIZE - sizeof "...", "...");
    return path;
}

int field_reject(const struct field_reader *reader, const char *path, const char *format, ...)
{
    int used = snprintf(reader->why, reader->size, "%s: %s%s", reader->origin, path, *path ? " " : "");
    if (used >= 0 && (size_t)used < reader->size) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(reader->why + used, reader->size - (size_t)used, format, arguments);
        va_end(arguments);
    }
    return -EINVAL;
}

int field_out_of_memory(const struct field_reader *reader)
{
    snprintf(reader->why, reader->size, "%s: no memory left to read it", reader->origin);
    return -ENOMEM;
}

static const char *type_name(const json_t *value)
{
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string", [JSON_INTEGER] = "a number",
        [JSON_REAL] = "a number",    [JSON_TRUE] = "true",      [JSON_FALSE] = "false",     [JSON_NULL] = "null",
    };
    return names[json_typeof(value)];
}

int field_object(const struct field_reader *reader, const char *path, const json_t *value)
{
    if (!value)
        return field_reject(reader, path, "is missing");
    return json_is_object(value) ? 0 : field_reject(reader, path, "must be an object, not %s", type_name(value));
}

int field_text(const struct field_reader *reader, const char *path, const json_t *value, const char *otherwise,
               char **text)
{
    if (!value && !otherwise)
        return field_reject(reader, path, "is missing");
    if (value && !json_is_string(value))
        return field_reject(reader, path, "must be a string, not %s", type_name(value));
    if (value && !otherwise && json_string_length(value) == 0)
        return field_reject(reader, path, "must not be empty");
    *text = strdup(value ? json_string_value(value) : otherwise);
    return *text ? 0 : field_out_of_memory(reader);
}

int field_number(const struct field_reader *reader, const char *path, const json_t *value, bool zero_is_fine,
                 double *number)
{
    if (!value)
        return field_reject(reader, path, "is missing");
    if (!json_is_number(value))
        return field_reject(reader, path, "must be a number, not %s", type_name(value));
    double read = json_number_value(value);
    if (read < 0 || (read == 0 && !zero_is_fine))
        return field_reject(reader, path, "is %g, but must be %s", read, zero_is_fine ? "0 or more" : "above 0");
    *number = read;
    return 0;
}

static const struct unit *find_unit(const char *name)
{
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    }
    return NULL;
}

static const char *units_of(enum dimension dimension, char list[static UNIT_LIST_SIZE])
{
    size_t used = 0;
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        if (units[i].dimension == dimension)
            used += (size_t)snprintf(list + used, UNIT_LIST_SIZE - used, "%s%s", used > 0 ? ", " : "", units[i].name);
    }
    return list;
}

static int read_unit(const struct field_reader *reader, const char *path, const json_t *value, enum dimension dimension,
                     double *factor)
{
    char list[UNIT_LIST_SIZE];
    if (!value)
        return field_reject(reader, path, "is missing; known: %s", units_of(dimension, list));
    if (!json_is_string(value))
        return field_reject(reader, path, "must be a string, not %s", type_name(value));
    const char *name = json_string_value(value);
    const struct unit *unit = find_unit(name);
    if (!unit)
        return field_reject(reader, path, "is '%s', an unknown unit; known: %s", name, units_of(dimension, list));
    if (unit->dimension != dimension)
        return field_reject(reader, path, "is '%s', which does not fit here; use %s", name, units_of(dimension, list));
    *factor = unit->factor;
    return 0;
}

int field_quantity(const struct field_reader *reader, const char *path, const json_t *value, enum dimension dimension,
                   bool zero_is_fine, double *converted)
{
    int error = field_object(reader, path, value);
    if (error != 0)
        return error;
    char field[FIELD_PATH_SIZE];
    double number = 0, factor = 1;
    field_member(field, path, "value");
    error = field_number(reader, field, json_object_get(value, "value"), zero_is_fine, &number);
    if (error != 0)
        return error;
    field_member(field, path, "unit");
    error = read_unit(reader, field, json_object_get(value, "unit"), dimension, &factor);
    if (error == 0)
        *converted = number * factor;
    return error;
}
