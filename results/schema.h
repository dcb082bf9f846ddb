/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_SCHEMA_H
#define RESULTS_SCHEMA_H

#include <jansson.h>
#include <stddef.h>

#include "results/schema_reference.h"
#include "results/schema_violation.h"

/**
 * Validates JSON against the part of JSON Schema (draft 2020-12) that Kneepoint's own schemas are written in, and says
 * which field is wrong and why. Debian has no JSON Schema library for C. Tests refuse a schema of ours that uses a keyword
 * not listed here (results/schema_testing.h), instead of half understanding it.
 *
 *     $ref (within the file), $defs, allOf, anyOf, not, if, then, else, const, enum, type, required, dependentRequired,
 *     properties, additionalProperties, minProperties, items, contains, minItems, maxItems, minLength, minimum,
 *     maximum, exclusiveMinimum; and for readers $schema, $id, title, description
 */

/**
 * Validate a value against a schema that has no other keywords.
 * @param root   the whole schema, which $ref refers to
 * @param schema the part of it to apply; root for all of it
 * @return 0, or -EINVAL with the violation
 */
int schema_validate(const json_t *root, const json_t *schema, const json_t *value, enum schema_missing missing,
                    struct schema_violation *violation);

#endif
