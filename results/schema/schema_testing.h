/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "results/schema/schema.h"
#include "results/schema/schema_walk.h"

/**
 * For tests of schemas: results/schema/schema.h ignores a keyword that it does not know, so a schema of ours must have none.
 */

struct check {
    const json_t *root;
    char *why;
    size_t size;
};

static inline int check_schema(const struct check *check, const char *place, const json_t *schema);

static inline int reject(const struct check *check, const char *place, const char *keyword, const char *reason)
{
    snprintf(check->why, check->size, "schema %s: \"%s\" %s", *place ? place : "#", keyword, reason);
    return -ENOTSUP;
}

static inline bool is_list_of_names(const json_t *operand)
{
    bool all = json_is_array(operand);
    for (size_t i = 0; i < json_array_size(operand); i++)
        all = all && json_is_string(json_array_get(operand, i));
    return all;
}

static inline bool is_names_by_name(const json_t *operand)
{
    const char *name;
    json_t *names;
    bool all = json_is_object(operand);
    json_object_foreach((json_t *)operand, name, names) all = all && is_list_of_names(names);
    return all;
}

static inline int check_each(const struct check *check, const char *place, const json_t *schemas)
{
    const char *name;
    json_t *schema;
    int error = 0;
    json_object_foreach((json_t *)schemas, name, schema)
    {
        char member[SCHEMA_PATH_SIZE];
        snprintf(member, sizeof member, "%s/%s", place, name);
        error = error ? error : check_schema(check, member, schema);
    }
    for (size_t i = 0; i < json_array_size(schemas); i++)
        error = error ? error : check_schema(check, place, json_array_get(schemas, i));
    return error;
}

static inline int check_operand(const struct check *check, const char *place, const struct schema_keyword *keyword,
                                const json_t *operand)
{
    char inner[SCHEMA_PATH_SIZE];
    bool is_right = true;
    snprintf(inner, sizeof inner, "%s/%s", place, keyword->name);
    switch (keyword->operand) {
    case SCHEMA_OPERAND_ANY: break;
    case SCHEMA_OPERAND_TEXT:
        is_right = json_is_string(operand);
        if (is_right && strcmp(keyword->name, "$ref") == 0 && !schema_at(check->root, json_string_value(operand)))
            return reject(check, place, keyword->name, "leads nowhere");
        break;
    case SCHEMA_OPERAND_NUMBER: is_right = json_is_number(operand); break;
    case SCHEMA_OPERAND_TYPES: is_right = json_is_string(operand) || is_list_of_names(operand); break;
    case SCHEMA_OPERAND_NAMES: is_right = is_list_of_names(operand); break;
    case SCHEMA_OPERAND_NAMES_BY_NAME: is_right = is_names_by_name(operand); break;
    case SCHEMA_OPERAND_SCHEMA: return check_schema(check, inner, operand);
    case SCHEMA_OPERAND_SCHEMA_LIST:
        return json_is_array(operand) ? check_each(check, inner, operand)
                                      : reject(check, place, keyword->name, "must be a list of schemas");
    case SCHEMA_OPERAND_SCHEMAS_BY_NAME:
        return json_is_object(operand) ? check_each(check, inner, operand)
                                       : reject(check, place, keyword->name, "must hold schemas by name");
    }
    return is_right ? 0 : reject(check, place, keyword->name, "has an operand of the wrong kind");
}

static inline int check_schema(const struct check *check, const char *place, const json_t *schema)
{
    const char *name;
    json_t *operand;
    int error = 0;
    if (json_is_boolean(schema))
        return 0;
    if (!json_is_object(schema))
        return reject(check, place, "", "is no schema");
    json_object_foreach((json_t *)schema, name, operand)
    {
        const struct schema_keyword *keyword = schema_keyword_find(schema_keywords, name);
        if (!error)
            error = keyword ? check_operand(check, place, keyword, operand)
                            : reject(check, place, name, "is a keyword this tool does not know");
    }
    return error;
}

/** Whether every keyword of the schema is understood. @return 0, or -ENOTSUP with the keyword and its place in why */
static inline int schema_check(const json_t *schema, char *why, size_t size)
{
    const struct check check = {.root = schema, .why = why, .size = size};
    return check_schema(&check, "", schema);
}
