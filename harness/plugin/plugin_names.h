/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "harness/plugin/plugin.h"

/**
 * Two builds of one plug-in beside each other: the later one and its entries get names of their own, by its path. Without
 * plugin_names_begin() nothing is renamed.
 *
 * Errors: 0 or -ENOMEM.
 */

/**
 * What of a path is not that of another file: its name without .so, else the last folder that differs, of letters, digits and
 * '_'. @return whether there is such a part
 */
bool plugin_names_tag(const char *path, const char *other, char tag[PLUGIN_TAG]);

/** The plug-in is of the name of one that is loaded from another path; of the same path nothing is done. */
int plugin_names_begin(struct plugin *plugin, const char *other);
/** That name is another's as well, or the path has nothing of its own: the tag ends in this number instead of the former one. */
int plugin_names_number(struct plugin *plugin, unsigned number);
void plugin_names_release(struct plugin *plugin);

/** Rename a copy of an entry, and what a kernel names as its roofs. Kernels after all formats, their own resolved. */
int plugin_names_format(struct plugin *plugin, struct format *format);
int plugin_names_kernel(struct plugin *plugin, struct kernel *kernel);
int plugin_names_sequence(struct plugin *plugin, struct sequence *sequence);
