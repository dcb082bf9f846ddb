/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>

/**
 * Files that people keep under version control and read the changes of: one JSON object, indented, whose array "cells"
 * has one cell a line, sorted by name, with nine significant digits. So a change of one cell is a change of one line.
 *
 * Errors: 0 or negative errno with one line in why that names the path and the remedy.
 */

/** Write through a temporary file; folders are made. @param object has "cells", an array of objects with "name" */
int diffable_json_write(const char *path, const json_t *object, char *why, size_t size);

/**
 * Read such an object. @param key  that tells what it is, "kneepoint_baseline", with the integer 1
 * @return 0; -ENOENT no such file; -EINVAL no JSON, or another kind of file; *object is a new reference
 */
int diffable_json_read(const char *path, const char *key, json_t **object, char *why, size_t size);
