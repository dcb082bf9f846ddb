/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/given_name.h"

#include <string.h>

#include "results/former_names.h"

static bool leads(const char *given, const char *name)
{
    size_t length = strlen(given);
    return length && strncmp(given, name, length) == 0 && (name[length] == 0 || name[length] == '.');
}

bool given_name_means(const char *given, const char *name)
{
    char now[256];
    return leads(given, name) || leads(former_name_exchanged(given, now, sizeof now), name);
}

const struct plugin_fault *given_name_withheld(const char *given, const struct plugins *plugins)
{
    for (size_t i = 0; given && i < plugins->faults; i++) {
        if (given_name_means(given, plugins->fault[i].name))
            return &plugins->fault[i];
    }
    return NULL;
}
