/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/schema.h"

#include "results/schema_keywords.h"

int schema_validate(const json_t *root, const json_t *schema, const json_t *value, enum schema_missing missing,
                    struct schema_violation *violation)
{
    struct walk walk = {.root = root, .keywords = schema_keywords, .missing = missing, .violation = violation};
    return schema_apply(&walk, schema, value);
}
