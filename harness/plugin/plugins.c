/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/plugins.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/check/items/kernel_check.h"
#include "harness/check/items/sequence_check.h"
#include "harness/plugin/plugins_find.h"
#include "micro/registry/registration.h"
#include "results/text/refuse.h"

const struct plugin_fault *plugins_fault(const struct plugins *plugins, const char *name)
{
    for (size_t i = 0; i < plugins->faults; i++) {
        if (strcmp(plugins->fault[i].name, name) == 0)
            return &plugins->fault[i];
    }
    return NULL;
}

static int note_fault(struct plugins *plugins, const struct plugin *plugin, const char *name, const char *why)
{
    struct plugin_fault *grown = realloc(plugins->fault, (plugins->faults + 1) * sizeof *grown);
    if (!grown)
        return -ENOMEM;
    plugins->fault = grown;
    struct plugin_fault *fault = &grown[plugins->faults++];
    *fault = (struct plugin_fault){.plugin = plugin, .seed = plugins->seed};
    snprintf(fault->name, sizeof fault->name, "%s", name);
    snprintf(fault->why, sizeof fault->why, "%s", why);
    return 0;
}

/* ---- the registry ---- */

/** Those of a list that are not withheld, in the list's own order. All entries begin with their name. */
static const void **passing(const struct plugins *plugins, const void *const *list)
{
    size_t count = 0, passed = 0;
    while (list[count])
        count++;
    const void **rest = calloc(count + 1, sizeof *rest);
    for (size_t i = 0; rest && i < count; i++) {
        if (!plugins_fault(plugins, *(const char *const *)list[i]))
            rest[passed++] = list[i];
    }
    return rest;
}

static int register_one(const struct plugins *plugins, const struct plugin *plugin)
{
    const void **kernels = passing(plugins, (const void *const *)plugin->kernels),
               **sequences = passing(plugins, (const void *const *)plugin->sequences);
    const struct registry_entries entries = {
        .formats = plugin->formats,
        .kernels = (const struct kernel *const *)kernels,
        .sequences = (const struct sequence *const *)sequences,
    };
    int error = kernels && sequences ? registry_add(&entries) : -ENOMEM;
    free(kernels);
    free(sequences);
    return error;
}

int plugins_withhold(struct plugins *plugins, const struct plugin *plugin, const char *name, const char *why)
{
    int error = plugins_fault(plugins, name) ? 0 : note_fault(plugins, plugin, name, why);
    registry_restore();
    for (unsigned i = 0; !error && i < plugins->count; i++)
        error = register_one(plugins, &plugins->plugin[i]);
    return error;
}

/* ---- the check ---- */

static bool runs(isa_features features, const char *isa)
{
    return isa_runs(isa_find(isa), features);
}

/** Each in a process of its own. @return 0, or what kept a process from starting */
static int check_one(struct plugins *plugins, const struct plugin *plugin, isa_features features, char *why,
                     size_t size)
{
    int error = 0;
    for (const struct kernel *const *kernel = plugin->kernels; !error && *kernel; kernel++) {
        if (!runs(features, (*kernel)->isa))
            continue;
        error = kernel_check_apart(*kernel, plugins->seed, why, size);
        if (error == -EILSEQ)
            error = note_fault(plugins, plugin, (*kernel)->name, why);
    }
    for (const struct sequence *const *sequence = plugin->sequences; !error && *sequence; sequence++) {
        if (!runs(features, (*sequence)->isa))
            continue;
        error = check_sequence_loaded(*sequence, (*sequence)->name, plugins->seed, why, size);
        if (error == -EILSEQ)
            error = note_fault(plugins, plugin, (*sequence)->name, why);
    }
    return error;
}

/** Whether the last one has the name of another. */
static bool is_namesake(const struct plugins *plugins)
{
    const struct plugin *last = &plugins->plugin[plugins->count - 1];
    for (const struct plugin *other = plugins->plugin; other < last; other++) {
        if (strcmp(other->description->name, last->description->name) == 0)
            return true;
    }
    return false;
}

static int add_one(struct plugins *plugins, const char *path, bool unchecked, isa_features features, char *why,
                   size_t size)
{
    if (plugins->count == PLUGINS_MOST)
        return refuse(-E2BIG, why, size, "more than %d plug-ins: measure them in several runs", PLUGINS_MOST);
    struct plugin *plugin = &plugins->plugin[plugins->count];
    char writers[PLUGIN_SAID_LINE];
    if (plugin_writers_say(path, writers, sizeof writers))
        plugin_output_note(&plugins->said, path, writers);
    int error = plugin_load(path, plugins->plugin, plugins->count, plugin, &plugins->said, why, size);
    if (error)
        return error;
    plugins->count++;
    if (is_namesake(plugins))
        error = refuse(-EINVAL, why, size, "%s is a second plug-in named %s; give it another name", plugin->path,
                       plugin->description->name);
    if (!error && !unchecked)
        error = check_one(plugins, plugin, features, why, size);
    if (!error && register_one(plugins, plugin))
        error = refuse(-ENOMEM, why, size, "no memory for plug-in %s", plugin->path);
    return error;
}

/** One that was found and cannot be taken: what was loaded of it goes. */
static int note_refusal(struct plugins *plugins, unsigned count, const char *why)
{
    struct plugin_refusal *grown = realloc(plugins->refusal, (plugins->refusals + 1) * sizeof *grown);
    if (plugins->count > count)
        plugin_unload(&plugins->plugin[--plugins->count]);
    if (!grown)
        return -ENOMEM;
    plugins->refusal = grown;
    grown[plugins->refusals] = (struct plugin_refusal){0};
    snprintf(grown[plugins->refusals++].why, PLUGIN_WHY, "%s", why);
    return 0;
}

int plugins_add(struct plugins *plugins, const struct plugins_request *request, isa_features features, char *why,
                size_t size)
{
    int error = 0;
    for (unsigned i = 0; !error && i < request->count; i++) {
        unsigned before = plugins->count;
        bool found = i + request->found >= request->count;
        error = add_one(plugins, request->paths[i], request->unchecked, features, why, size);
        bool of_no_use = error == -ENOTSUP || error == -EINVAL || error == -EACCES || error == -ENOENT ||
                         error == -EISDIR || error == -ENOEXEC;
        if (of_no_use && found)
            error = note_refusal(plugins, before, why) ? refuse(-ENOMEM, why, size, "no memory") : 0;
        else if (!error)
            plugins->plugin[before].found = found;
    }
    return error;
}

void plugins_close(struct plugins *plugins)
{
    if (plugins->count)
        registry_restore();
    for (unsigned i = 0; i < plugins->count; i++)
        plugin_unload(&plugins->plugin[i]);
    free(plugins->fault);
    free(plugins->refusal);
    plugin_output_release(&plugins->said);
    *plugins = (struct plugins){0};
}

/* ---- who brought it ---- */

const struct plugin *plugins_of_kernel(const struct plugins *plugins, const struct kernel *kernel)
{
    for (unsigned i = 0; i < plugins->count; i++) {
        for (const struct kernel *const *own = plugins->plugin[i].kernels; *own; own++) {
            if (*own == kernel)
                return &plugins->plugin[i];
        }
    }
    return NULL;
}

const struct plugin *plugins_of_sequence(const struct plugins *plugins, const struct sequence *sequence)
{
    for (unsigned i = 0; i < plugins->count; i++) {
        for (const struct sequence *const *own = plugins->plugin[i].sequences; *own; own++) {
            if (*own == sequence)
                return &plugins->plugin[i];
        }
    }
    return NULL;
}

const struct plugin *plugins_of_format(const struct plugins *plugins, const struct format *format)
{
    for (unsigned i = 0; i < plugins->count; i++) {
        for (const struct format *const *own = plugins->plugin[i].formats; *own; own++) {
            if (*own == format)
                return &plugins->plugin[i];
        }
    }
    return NULL;
}

json_t *plugins_json(const struct plugins *plugins)
{
    json_t *object = json_object();
    for (unsigned i = 0; i < plugins->count; i++)
        json_object_set_new(object, plugins->plugin[i].description->name, plugin_json(&plugins->plugin[i]));
    return object;
}
