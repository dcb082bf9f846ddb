/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/model_names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/command/command.h"
#include "harness/plugin/name_filter.h"
#include "results/text/words.h"

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

/** "q2_k, q2_k_s, …": those that have types. */
static const char *type_names(char *text, size_t size)
{
    const struct file_mix *mix;
    text[0] = 0;
    for (size_t i = 0; (mix = file_mix_at(i)); i++) {
        if (mix->types)
            words_add(text, size, "%s", mix->name);
    }
    return text;
}

int model_names_type(const char *command, const char *name, const struct file_mix **mix)
{
    struct nearest_name nearest = nearest_name_begin(name);
    char hint[NEAREST_NAME_MOST + 32], all[512];
    *mix = file_mix_find(name);
    if (*mix && (*mix)->types)
        return EXIT_DONE;
    if (*mix)
        return complain(EXIT_USAGE, command,
                        "--type=%s: its types are no formats here; `kneepoint model FILE.gguf` takes such a file",
                        (*mix)->name);
    if (format_find(name))
        return complain(EXIT_USAGE, command, "--type=%s: that is a format, not a kind of file: `kneepoint decode %s`",
                        name, name);
    for (size_t i = 0; (*mix = file_mix_at(i)); i++) {
        if ((*mix)->types)
            nearest_name_consider(&nearest, (*mix)->name, strlen((*mix)->name));
    }
    return complain(EXIT_USAGE, command, "--type is one of %s, not '%s'%s", type_names(all, sizeof all), name,
                    nearest_name_hint(&nearest, hint, sizeof hint));
}
