/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/plugin/plugin.h"
#include "harness/plugin/plugin_output.h"
#include "platforms/cpu/isa.h"

/**
 * The plug-ins of a session. Their formats, and those kernels and sequences that passed the check, are in the registry
 * (kernel_all() …) while they are open; what failed is withheld, with the reason, and the run goes on without it.
 *
 * Errors: 0 or negative errno with one line in why.
 */
enum { PLUGINS_MOST = 32 };

/** What the user asked for: --plugin FILE, in this order. */
struct plugins_request {
    const char *paths[PLUGINS_MOST];
    unsigned count;
    unsigned found; /* how many, at the end, were found and not named: those of no use here are left out */
    bool unchecked; /* another process checked them just before */
};

/** Why one that was found is left out: it begins with its path. */
struct plugin_refusal {
    char why[PLUGIN_WHY];
    bool reported;
};

/** A kernel or sequence that failed its check. */
struct plugin_fault {
    char name[160], why[PLUGIN_WHY];
    const struct plugin *plugin;
    uint64_t seed; /* of what was drawn to check it with, and to measure it */
    bool reported; /* the user knows */
};

struct plugins {
    struct plugin plugin[PLUGINS_MOST];
    unsigned count;
    struct plugin_fault *fault;
    size_t faults;
    struct plugin_refusal *refusal;
    size_t refusals;
    uint64_t seed;             /* of what they are checked with; set before the first is added */
    struct plugin_output said; /* as they were loaded, and as they were measured */
};

/**
 * Load, check what can run with these features, register. plugins is zeroed but for its seed to begin with, and may be added to. Call
 * before the process has threads. On failure what was loaded stays until plugins_close.
 */
int plugins_add(struct plugins *plugins, const struct plugins_request *request, isa_features features, char *why,
                size_t size);
void plugins_close(struct plugins *plugins);

/** The plug-in that a kernel or sequence of the registry is from; NULL for our own. */
const struct plugin *plugins_of_kernel(const struct plugins *plugins, const struct kernel *kernel);
const struct plugin *plugins_of_sequence(const struct plugins *plugins, const struct sequence *sequence);
/** The same of a format; one of ours that a plug-in's kernel names is ours. */
const struct plugin *plugins_of_format(const struct plugins *plugins, const struct format *format);

/**
 * Take a kernel or sequence that failed later out of the registry. Pointers to it stay valid.
 * @return 0 or -ENOMEM
 */
int plugins_withhold(struct plugins *plugins, const struct plugin *plugin, const char *name, const char *why);

/** The fault of that name, or NULL. */
const struct plugin_fault *plugins_fault(const struct plugins *plugins, const char *name);

/** plugin_json of each by its name. New reference. */
json_t *plugins_json(const struct plugins *plugins);
