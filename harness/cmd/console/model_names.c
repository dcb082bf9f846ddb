/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/model_names.h"

#include <errno.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/command/command.h"
#include "harness/plugin/nearest_name.h"

static int refuse_name(const char *command, const char *name)
{
    static struct shape shapes[SHAPES_MAX];
    struct nearest_name nearest = nearest_name_begin(name);
    char hint[NEAREST_NAME_MOST + 32];
    size_t count = shapes_all(shapes, SHAPES_MAX);
    for (size_t i = 0; i < count; i++)
        nearest_name_consider(&nearest, shapes[i].model, strlen(shapes[i].model));
    return complain(EXIT_USAGE, command, "no model '%s'; `kneepoint list shapes` shows them%s", name,
                    nearest_name_hint(&nearest, hint, sizeof hint));
}

int model_names_shapes(const char *command, const char *name, struct shape *shapes, size_t *count)
{
    static struct shape all[SHAPES_MAX];
    size_t total = shapes_all(all, SHAPES_MAX), before = *count;
    for (size_t i = 0; i < total && *count < SHAPES_MAX; i++) {
        if (strcasecmp(name, "all") == 0 || strcasecmp(name, all[i].model) == 0)
            shapes[(*count)++] = all[i];
    }
    return *count == before ? refuse_name(command, name) : EXIT_DONE;
}

int model_names_find(const char *command, const char *name, struct model *model)
{
    char why[512];
    int error = model_find(name, model, why, sizeof why);
    if (error == -ENOENT)
        return refuse_name(command, name);
    return error ? complain(EXIT_USAGE, command, "%s", why) : EXIT_DONE;
}
