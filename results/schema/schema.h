/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>

/**
 * Validates JSON against the part of JSON Schema (draft 2020-12) that Kneepoint's own schemas are written in, and says
 * which field is wrong and why. Debian has no JSON Schema library for C. Tests refuse a schema of ours that uses a keyword
 * not listed here (results/schema/schema_testing.h), instead of half understanding it.
 *
 *     $ref (within the file), $defs, allOf, anyOf, not, if, then, else, const, enum, type, required, dependentRequired,
 *     properties, additionalProperties, minProperties, items, contains, minItems, maxItems, minLength, minimum,
 *     maximum, exclusiveMinimum; and for readers $schema, $id, title, description
 */

enum { SCHEMA_PATH_SIZE = 160, SCHEMA_REASON_SIZE = 160 };

/** The first field found to be wrong. */
struct schema_violation {
    char path[SCHEMA_PATH_SIZE];     /* "kinds[0].clock.value"; "" for the whole */
    char reason[SCHEMA_REASON_SIZE]; /* "is -3, but must be above 0" */
};

/** How to judge a field that is not there. */
enum schema_missing {
    SCHEMA_MISSING_IS_WRONG, /* the standard */
    SCHEMA_MISSING_IS_FINE,  /* only what is there has to be right: `required` and `dependentRequired` say nothing */
};

/** The schema at a local reference such as "#/$defs/gamma"; NULL if there is none. Borrowed. */
const json_t *schema_at(const json_t *root, const char *reference);

/**
 * Validate a value against a schema that has no other keywords.
 * @param root   the whole schema, which $ref refers to
 * @param schema the part of it to apply; root for all of it
 * @return 0, or -EINVAL with the violation
 */
int schema_validate(const json_t *root, const json_t *schema, const json_t *value, enum schema_missing missing,
                    struct schema_violation *violation);
