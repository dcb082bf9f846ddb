/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_SCHEMA_H
#define RESULTS_SCHEMA_H

#include <jansson.h>
#include <stddef.h>

#include "results/schema_reference.h"
#include "results/schema_violation.h"

/**
 * Validates JSON against the part of JSON Schema (draft 2020-12) that Kneepoint's own schemas are written in, and says
 * which field is wrong and why. Debian has no JSON Schema library for C; a schema that uses a keyword not listed here
 * is refused by schema_check instead of being half understood.
 *
 *     $ref (within the file), $defs, allOf, anyOf, not, if, then, else, const, enum, type, required, dependentRequired,
 *     properties, additionalProperties, minProperties, items, contains, minItems, maxItems, minLength, minimum,
 *     maximum, exclusiveMinimum; and for readers $schema, $id, title, description
 */

/** Whether every keyword of the schema is understood. @return 0, or -ENOTSUP with the keyword and its place in why */
int schema_check(const json_t *schema, char *why, size_t size);

/**
 * Validate a value against a schema that passed schema_check.
 * @param root   the whole schema, which $ref refers to
 * @param schema the part of it to apply; root for all of it
 * @return 0, or -EINVAL with the violation
 */
int schema_validate(const json_t *root, const json_t *schema, const json_t *value, enum schema_missing missing,
                    struct schema_violation *violation);

#endif
