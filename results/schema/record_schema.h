/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>

#include "results/schema/schema.h"

/** results/record.schema.json, as it travels inside the binary. New reference; NULL without memory. */
json_t *record_schema(void);

/**
 * Check the fields of a record against the schema of its type; a type that the schema does not name only has to have a
 * name. Fields that the schema does not name are free.
 * @param schema  from record_schema
 * @return 0, or -EINVAL with the field and the reason
 */
int record_check(const json_t *schema, const json_t *record, enum schema_missing missing,
                 struct schema_violation *violation);
