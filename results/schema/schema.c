/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/schema/schema.h"

#include <stdio.h>
#include <string.h>

#include "results/schema/schema_walk.h"

const json_t *schema_at(const json_t *root, const char *reference)
{
    if (strncmp(reference, "#", 1) != 0)
        return NULL;
    const json_t *at = root;
    for (const char *rest = reference + 1; *rest && at;) {
        char member[64];
        size_t length = strcspn(rest + 1, "/");
        if (*rest != '/' || length >= sizeof member)
            return NULL;
        snprintf(member, sizeof member, "%.*s", (int)length, rest + 1);
        at = json_object_get(at, member);
        rest += 1 + length;
    }
    return at;
}

int schema_validate(const json_t *root, const json_t *schema, const json_t *value, enum schema_missing missing,
                    struct schema_violation *violation)
{
    struct walk walk = {.root = root, .keywords = schema_keywords, .missing = missing, .violation = violation};
    return schema_apply(&walk, schema, value);
}
