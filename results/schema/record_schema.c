/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/schema/record_schema.h"

#include <stdio.h>
#include <string.h>

#include "embedded.h"

json_t *record_schema(void)
{
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        if (strcmp(file->path, "results/record.schema.json") == 0)
            return json_loadb(file->bytes, file->length, 0, NULL);
    }
    return NULL;
}

/*
 * The schema tells types apart by a list of if and then, which any validator follows. Going through it for each of
 * 100,000 samples would take seconds; the definition of a type can also be looked up by its name.
 */
int record_check(const json_t *schema, const json_t *record, enum schema_missing missing,
                 struct schema_violation *violation)
{
    char reference[80];
    int error = schema_validate(schema, schema_at(schema, "#/$defs/any_record"), record, missing, violation);
    const char *name = json_string_value(json_object_get(record, "type"));
    snprintf(reference, sizeof reference, "#/$defs/record_%s", error || !name ? "" : name);
    const json_t *type = error ? NULL : schema_at(schema, reference);
    return type ? schema_validate(schema, type, record, missing, violation) : error;
}
