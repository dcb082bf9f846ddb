/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/compare/live_withheld.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char type_name[] = "withheld";

json_t *live_withheld_record(const struct plugin_fault *fault)
{
    return json_pack("{s:s, s:s, s:s}", "type", type_name, "name", fault->name, "reason", fault->why);
}

static int add(struct live_withheld *withheld, const char *side, const char *given, const char *name,
               const char *reason)
{
    struct live_fault *grown = realloc(withheld->fault, (withheld->count + 1) * sizeof *grown);
    if (!grown)
        return -ENOMEM;
    withheld->fault = grown;
    struct live_fault *fault = &grown[withheld->count];
    fault->name = strdup(name);
    if (!fault->name)
        return -ENOMEM;
    if (asprintf(&fault->why, "%s %s: %s", side, given, reason) < 0) {
        free(fault->name);
        return -ENOMEM;
    }
    withheld->count++;
    return 0;
}

int live_withheld_take(const json_t *records, const char *side, const char *given, struct live_withheld *withheld)
{
    int error = 0;
    for (size_t i = 0; !error && i < json_array_size(records); i++) {
        const char *type, *name, *reason;
        json_t *record = json_array_get(records, i);
        if (json_unpack(record, "{s:s, s:s, s:s}", "type", &type, "name", &name, "reason", &reason) == 0 &&
            strcmp(type, type_name) == 0)
            error = add(withheld, side, given, name, reason);
    }
    return error;
}

void live_withheld_release(struct live_withheld *withheld)
{
    for (size_t i = 0; i < withheld->count; i++) {
        free(withheld->fault[i].name);
        free(withheld->fault[i].why);
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
