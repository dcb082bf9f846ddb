/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/schema/schema_walk.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/text/words.h"

/** Apply to a member, or to an item if that is NULL. */
static int descend(struct walk *walk, const char *member, size_t index, const json_t *schema, const json_t *value)
{
    const struct step step = {.below = walk->at, .member = member, .index = index};
    walk->at = &step;
    int error = schema_apply(walk, schema, value);
    walk->at = step.below;
    return error;
}

static int apply_ref(struct walk *walk, const struct rule *rule)
{
    return schema_apply(walk, schema_at(walk->root, json_string_value(rule->operand)), rule->value);
}

static int apply_all_of(struct walk *walk, const struct rule *rule)
{
    for (size_t i = 0; i < json_array_size(rule->operand); i++) {
        int error = schema_apply(walk, json_array_get(rule->operand, i), rule->value);
        if (error)
            return error;
    }
    return 0;
}

/* Of alternatives that all fail, the last one's complaint is kept: it stands last because it is the usual one. */
static int apply_any_of(struct walk *walk, const struct rule *rule)
{
    int error = 0;
    for (size_t i = 0; i < json_array_size(rule->operand); i++) {
        error = schema_apply(walk, json_array_get(rule->operand, i), rule->value);
        if (!error)
            return 0;
    }
    return error;
}

static int apply_not(struct walk *walk, const struct rule *rule)
{
    const json_t *required = json_object_get(rule->operand, "required");
    if (!schema_fits(walk, rule->operand, rule->value))
        return 0;
    if (json_array_size(required) == 1)
        return schema_violate(walk, json_string_value(json_array_get(required, 0)), "must not be here");
    return schema_violate(walk, "", "is of a kind that must not be here");
}

static int apply_if(struct walk *walk, const struct rule *rule)
{
    const json_t *branch =
        json_object_get(rule->schema, schema_fits(walk, rule->operand, rule->value) ? "then" : "else");
    return branch ? schema_apply(walk, branch, rule->value) : 0;
}

/* Read as part of "if". */
static int apply_nothing(struct walk *walk, const struct rule *rule)
{
    (void)walk, (void)rule;
    return 0;
}

/** A value in one line, for a complaint. */
static const char *shown(const json_t *value, char text[48])
{
    char *dump = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
    bool is_long = dump && strlen(dump) > 40;
    snprintf(text, 48, "%.40s%s", dump ? dump : "", is_long ? "..." : "");
    free(dump);
    return text;
}

/* JSON Schema knows one kind of number. */
static bool equal(const json_t *a, const json_t *b)
{
    if (json_is_number(a) && json_is_number(b))
        return json_number_value(a) == json_number_value(b);
    return json_equal((json_t *)a, (json_t *)b);
}

static int apply_const(struct walk *walk, const struct rule *rule)
{
    char is[48], must[48];
    if (equal(rule->operand, rule->value))
        return 0;
    return walk->violation
               ? schema_violate(walk, "", "is %s, but must be %s", shown(rule->value, is), shown(rule->operand, must))
               : -EINVAL;
}

static int apply_enum(struct walk *walk, const struct rule *rule)
{
    char is[48], one[48], list[96] = "";
    size_t options = json_array_size(rule->operand);
    for (size_t i = 0; i < options; i++) {
        if (equal(json_array_get(rule->operand, i), rule->value))
            return 0;
    }
    for (size_t i = 0; i < options && walk->violation; i++)
        words_add(list, sizeof list, "%s", shown(json_array_get(rule->operand, i), one));
    return walk->violation ? schema_violate(walk, "", "is %s, but must be one of %s", shown(rule->value, is), list)
                           : -EINVAL;
}

static bool has_type(const json_t *value, const char *name)
{
    if (strcmp(name, "number") == 0)
        return json_is_number(value);
    if (strcmp(name, "integer") == 0)
        return json_is_number(value) && json_number_value(value) == floor(json_number_value(value));
    if (strcmp(name, "string") == 0)
        return json_is_string(value);
    if (strcmp(name, "boolean") == 0)
        return json_is_boolean(value);
    if (strcmp(name, "object") == 0)
        return json_is_object(value);
    if (strcmp(name, "array") == 0)
        return json_is_array(value);
    return strcmp(name, "null") == 0 && json_is_null(value);
}

static int apply_type(struct walk *walk, const struct rule *rule)
{
    char list[64] = "", is[48];
    size_t count = json_is_array(rule->operand) ? json_array_size(rule->operand) : 1;
    for (size_t i = 0; i < count; i++) {
        const char *name =
            json_string_value(json_is_array(rule->operand) ? json_array_get(rule->operand, i) : rule->operand);
        size_t used = strlen(list);
        if (has_type(rule->value, name))
            return 0;
        snprintf(list + used, sizeof list - used, "%s%s", i ? " or " : "", name);
    }
    return schema_violate(walk, "", "is %s, but must be %s", shown(rule->value, is), list);
}

static int require(struct walk *walk, const json_t *names, const json_t *value, const char *beside)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        if (!json_object_get(value, name))
            return schema_violate(walk, name, *beside ? "is missing beside \"%s\"" : "is missing%s", beside);
    }
    return 0;
}

static int apply_required(struct walk *walk, const struct rule *rule)
{
    if (!json_is_object(rule->value) || walk->missing == SCHEMA_MISSING_IS_FINE)
        return 0;
    return require(walk, rule->operand, rule->value, "");
}

static int apply_dependent_required(struct walk *walk, const struct rule *rule)
{
    const char *name;
    json_t *needed;
    int error = 0;
    if (!json_is_object(rule->value) || walk->missing == SCHEMA_MISSING_IS_FINE)
        return 0;
    json_object_foreach((json_t *)rule->operand, name, needed)
    {
        if (!error && json_object_get(rule->value, name))
            error = require(walk, needed, rule->value, name);
    }
    return error;
}

static int apply_properties(struct walk *walk, const struct rule *rule)
{
    json_t *members = (json_t *)rule->value;
    for (void *at = json_object_iter(members); at; at = json_object_iter_next(members, at)) {
        const char *name = json_object_iter_key(at);
        const json_t *schema = json_object_get(rule->operand, name);
        int error = schema ? descend(walk, name, 0, schema, json_object_iter_value(at)) : 0;
        if (error)
            return error;
    }
    return 0;
}

static int apply_additional_properties(struct walk *walk, const struct rule *rule)
{
    const json_t *named = json_object_get(rule->schema, "properties");
    const char *name;
    json_t *member;
    if (!json_is_object(rule->value) || json_is_true(rule->operand))
        return 0;
    json_object_foreach((json_t *)rule->value, name, member)
    {
        if (json_object_get(named, name))
            continue;
        int error = json_is_false(rule->operand) ? schema_violate(walk, name, "is not a known field")
                                                 : descend(walk, name, 0, rule->operand, member);
        if (error)
            return error;
    }
    return 0;
}

static int apply_items(struct walk *walk, const struct rule *rule)
{
    for (size_t i = 0; json_is_array(rule->value) && i < json_array_size(rule->value); i++) {
        int error = descend(walk, NULL, i, rule->operand, json_array_get(rule->value, i));
        if (error)
            return error;
    }
    return 0;
}

static int apply_contains(struct walk *walk, const struct rule *rule)
{
    if (!json_is_array(rule->value))
        return 0;
    for (size_t i = 0; i < json_array_size(rule->value); i++) {
        if (schema_fits(walk, rule->operand, json_array_get(rule->value, i)))
            return 0;
    }
    return schema_violate(walk, "", "has no item of the kind it must have");
}

static int apply_min_items(struct walk *walk, const struct rule *rule)
{
    json_int_t least = json_integer_value(rule->operand);
    if (!json_is_array(rule->value) || (json_int_t)json_array_size(rule->value) >= least)
        return 0;
    return schema_violate(walk, "", "has %zu items, but must have at least %" JSON_INTEGER_FORMAT,
                          json_array_size(rule->value), least);
}

static int apply_max_items(struct walk *walk, const struct rule *rule)
{
    json_int_t most = json_integer_value(rule->operand);
    if (!json_is_array(rule->value) || (json_int_t)json_array_size(rule->value) <= most)
        return 0;
    return schema_violate(walk, "", "has %zu items, but must have at most %" JSON_INTEGER_FORMAT,
                          json_array_size(rule->value), most);
}

static int apply_min_properties(struct walk *walk, const struct rule *rule)
{
    json_int_t least = json_integer_value(rule->operand);
    if (!json_is_object(rule->value) || (json_int_t)json_object_size(rule->value) >= least)
        return 0;
    return schema_violate(walk, "", "is empty; leave it out where nothing is known");
}

static int apply_min_length(struct walk *walk, const struct rule *rule)
{
    if (!json_is_string(rule->value) ||
        (json_int_t)json_string_length(rule->value) >= json_integer_value(rule->operand))
        return 0;
    return schema_violate(walk, "", "must not be empty");
}

static int apply_minimum(struct walk *walk, const struct rule *rule)
{
    if (!json_is_number(rule->value) || json_number_value(rule->value) >= json_number_value(rule->operand))
        return 0;
    return schema_violate(walk, "", "is %.10g, but must be %.10g or more", json_number_value(rule->value),
                          json_number_value(rule->operand));
}

static int apply_maximum(struct walk *walk, const struct rule *rule)
{
    if (!json_is_number(rule->value) || json_number_value(rule->value) <= json_number_value(rule->operand))
        return 0;
    return schema_violate(walk, "", "is %.10g, but must be %.10g or less", json_number_value(rule->value),
                          json_number_value(rule->operand));
}

static int apply_exclusive_minimum(struct walk *walk, const struct rule *rule)
{
    if (!json_is_number(rule->value) || json_number_value(rule->value) > json_number_value(rule->operand))
        return 0;
    return schema_violate(walk, "", "is %.10g, but must be above %.10g", json_number_value(rule->value),
                          json_number_value(rule->operand));
}

const struct schema_keyword schema_keywords[] = {
    {"type", SCHEMA_OPERAND_TYPES, apply_type},
    {"properties", SCHEMA_OPERAND_SCHEMAS_BY_NAME, apply_properties},
    {"$ref", SCHEMA_OPERAND_TEXT, apply_ref},
    {"const", SCHEMA_OPERAND_ANY, apply_const},
    {"enum", SCHEMA_OPERAND_ANY, apply_enum},
    {"minimum", SCHEMA_OPERAND_NUMBER, apply_minimum},
    {"maximum", SCHEMA_OPERAND_NUMBER, apply_maximum},
    {"exclusiveMinimum", SCHEMA_OPERAND_NUMBER, apply_exclusive_minimum},
    {"minLength", SCHEMA_OPERAND_NUMBER, apply_min_length},
    {"additionalProperties", SCHEMA_OPERAND_SCHEMA, apply_additional_properties},
    {"required", SCHEMA_OPERAND_NAMES, apply_required},
    {"dependentRequired", SCHEMA_OPERAND_NAMES_BY_NAME, apply_dependent_required},
    {"minProperties", SCHEMA_OPERAND_NUMBER, apply_min_properties},
    {"minItems", SCHEMA_OPERAND_NUMBER, apply_min_items},
    {"maxItems", SCHEMA_OPERAND_NUMBER, apply_max_items},
    {"items", SCHEMA_OPERAND_SCHEMA, apply_items},
    {"contains", SCHEMA_OPERAND_SCHEMA, apply_contains},
    {"allOf", SCHEMA_OPERAND_SCHEMA_LIST, apply_all_of},
    {"anyOf", SCHEMA_OPERAND_SCHEMA_LIST, apply_any_of},
    {"not", SCHEMA_OPERAND_SCHEMA, apply_not},
    {"if", SCHEMA_OPERAND_SCHEMA, apply_if},
    {"then", SCHEMA_OPERAND_SCHEMA, apply_nothing},
    {"else", SCHEMA_OPERAND_SCHEMA, apply_nothing},
    {"$defs", SCHEMA_OPERAND_SCHEMAS_BY_NAME, apply_nothing},
    {"$schema", SCHEMA_OPERAND_TEXT, apply_nothing},
    {"$id", SCHEMA_OPERAND_TEXT, apply_nothing},
    {"title", SCHEMA_OPERAND_TEXT, apply_nothing},
    {"description", SCHEMA_OPERAND_TEXT, apply_nothing},
    {0},
};

int schema_validate(const json_t *root, const json_t *schema, const json_t *value, enum schema_missing missing,
                    struct schema_violation *violation)
{
    struct walk walk = {.root = root, .keywords = schema_keywords, .missing = missing, .violation = violation};
    return schema_apply(&walk, schema, value);
}
