/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/compare/live_withheld.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add(struct live_withheld *withheld, const char *side, const char *given, const json_t *record)
{
    const char *name = json_string_value(json_object_get(record, "name")),
               *reason = json_string_value(json_object_get(record, "reason"));
    struct live_fault *grown = realloc(withheld->fault, (withheld->count + 1) * sizeof *grown);
    if (!grown)
        return -ENOMEM;
    withheld->fault = grown;
    struct live_fault *fault = &grown[withheld->count++];
    *fault = (struct live_fault){.name = strdup(name ? name : ""), .record = json_deep_copy(record)};
    if (asprintf(&fault->why, "%s %s: %s", side, given, reason ? reason : "") < 0)
        fault->why = NULL;
    return fault->name && fault->why && fault->record &&
                   json_object_set_new(fault->record, "side", json_string(side)) == 0
               ? 0
               : -ENOMEM;
}

static bool is_one(const json_t *record)
{
    const char *type = json_string_value(json_object_get(record, "type"));
    return type && strcmp(type, "withheld") == 0;
}

int live_withheld_take(const json_t *records, const char *side, const char *given, struct live_withheld *withheld)
{
    int error = 0;
    for (size_t i = 0; !error && i < json_array_size(records); i++) {
        const json_t *record = json_array_get(records, i);
        error = is_one(record) ? add(withheld, side, given, record) : 0;
    }
    return error;
}

bool live_withheld_any(const json_t *records)
{
    size_t i = 0;
    while (i < json_array_size(records) && !is_one(json_array_get(records, i)))
        i++;
    return i < json_array_size(records);
}

void live_withheld_release(struct live_withheld *withheld)
{
    for (size_t i = 0; i < withheld->count; i++) {
        free(withheld->fault[i].name);
        free(withheld->fault[i].why);
        json_decref(withheld->fault[i].record);
    }
    free(withheld->fault);
    *withheld = (struct live_withheld){0};
}

bool live_withheld_has(const struct live_withheld *withheld, const char *cell_name)
{
    const char *name = strchr(cell_name, '/');
    size_t length = name ? strcspn(++name, "/") : 0;
    for (size_t i = 0; name && i < withheld->count; i++) {
        if (strlen(withheld->fault[i].name) == length && strncmp(withheld->fault[i].name, name, length) == 0)
            return true;
    }
    return false;
}

const char *live_withheld_next(struct live_withheld *withheld)
{
    return withheld->told < withheld->count ? withheld->fault[withheld->told++].why : NULL;
}
