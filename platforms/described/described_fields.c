/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/described/described_fields.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { UNIT_LIST_SIZE = 96 };

const char *field_member(char path[FIELD_PATH_SIZE], const char *parent, const char *member)
{
    if (snprintf(path, FIELD_PATH_SIZE, "%s%s%s", parent, *parent ? "." : "", member) >= FIELD_PATH_SIZE)
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

int field_known(const struct field_reader *reader, const char *path, const json_t *object, const char *const *names)
{
    const char *member;
    json_t *value;
    json_object_foreach((json_t *)object, member, value)
    {
        size_t i = 0;
        while (names[i] && strcmp(names[i], member) != 0)
            i++;
        char field[FIELD_PATH_SIZE];
        if (!names[i])
            return field_reject(reader, field_member(field, path, member), "is not a known field");
    }
    return 0;
}

int field_unit(const struct field_reader *reader, const char *path, const json_t *value, enum dimension dimension,
               const struct unit **unit)
{
    char list[UNIT_LIST_SIZE];
    unit_names(dimension, list, sizeof list);
    if (!value)
        return field_reject(reader, path, "is missing%s%s", *list ? "; known: " : "", list);
    if (!json_is_string(value))
        return field_reject(reader, path, "must be a string, not %s", type_name(value));
    const char *name = json_string_value(value);
    *unit = unit_find(name);
    if (!*unit)
        return field_reject(reader, path, "is '%s', an unknown unit%s%s", name, *list ? "; known: " : "", list);
    if (dimension != DIMENSIONS && (*unit)->dimension != dimension)
        return field_reject(reader, path, "is '%s', which does not fit here; use %s", name, list);
    return 0;
}

int field_quantity(const struct field_reader *reader, const char *path, const json_t *value, enum dimension dimension,
                   bool zero_is_fine, double *converted)
{
    int error = field_object(reader, path, value);
    if (error != 0)
        return error;
    char field[FIELD_PATH_SIZE];
    double number = 0;
    const struct unit *unit = NULL;
    field_member(field, path, "value");
    error = field_number(reader, field, json_object_get(value, "value"), zero_is_fine, &number);
    if (error != 0)
        return error;
    field_member(field, path, "unit");
    error = field_unit(reader, field, json_object_get(value, "unit"), dimension, &unit);
    if (error != 0)
        return error;
    *converted = number * unit->factor;
    return isfinite(*converted) ? 0 : field_reject(reader, field, "makes the value too large");
}

int field_sourced(const struct field_reader *reader, const char *path, const json_t *value, const char *const *names)
{
    char field[FIELD_PATH_SIZE];
    int error = field_object(reader, path, value);
    if (error == 0)
        error = field_known(reader, path, value, names);
    const json_t *source = json_object_get(value, "source");
    if (error == 0 && source && !json_is_string(source))
        error = field_reject(reader, field_member(field, path, "source"), "must be a string");
    return error;
}

int field_sourced_quantity(const struct field_reader *reader, const char *path, const json_t *value,
                           enum dimension dimension, bool zero_is_fine, double *converted)
{
    static const char *const names[] = {"value", "unit", "source", NULL};
    int error = field_quantity(reader, path, value, dimension, zero_is_fine, converted);
    return error == 0 ? field_sourced(reader, path, value, names) : error;
}

int field_bits(const struct field_reader *reader, const char *path, const json_t *object, double *bits)
{
    enum { MOST = 64 };
    char field[FIELD_PATH_SIZE];
    field_member(field, path, "bits");
    int error = field_number(reader, field, json_object_get(object, "bits"), false, bits);
    if (error == 0 && *bits > MOST)
        error = field_reject(reader, field, "is %g, but a weight has at most %d", *bits, MOST);
    return error;
}
