/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "results/blocks/blocks.h"

/**
 * A baseline is a run by name, reduced to the values of its blocks, small enough to be committed:
 * <results>/baselines/<name>.json (results/files/diffable_json.h).
 *
 * Errors: 0 or negative errno with one line in why.
 */

/** Letters, digits, '.', '_' and '-', the first a letter or digit, at most 64. */
bool baseline_name_is_valid(const char *name);

/** Where it lies. @return 0, -EINVAL for a wrong name, -ENAMETOOLONG */
int baseline_path(const char *results, const char *name, char *path, size_t size);

/**
 * Keep blocks under a name.
 * @param source  run that they come from, as given
 * @return 0; -EINVAL wrong name; -EEXIST there is one and replace is false; or the error of the file system
 */
int baseline_save(const char *results, const char *name, const char *source, const struct blocks *blocks, bool replace,
                  char *why, size_t size);

/** -ENOENT where there is none: why lists those there are. */
int baseline_load(const char *results, const char *name, struct blocks *blocks, char *why, size_t size);

/** Read a baseline from a file of any name. */
int baseline_read(const char *path, struct blocks *blocks, char *why, size_t size);

/**
 * Names in order. @return count, or -ENOMEM; *names with baseline_names_release. A folder that is not there has none.
 */
long baseline_names(const char *results, char ***names);
void baseline_names_release(char **names, long count);
