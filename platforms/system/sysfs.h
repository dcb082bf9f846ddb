/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

/**
 * Small files of /proc and /sys, below a root that tests can move ("" for the running system).
 *
 * Errors: 0 or negative errno of the file (-ENOENT…); -EINVAL where the file does not hold what is asked for.
 */

/** First line without its newline and outer blanks; cut at size - 1. text is "" on an error. */
int sysfs_read_text(const char *root, const char *path, char *text, size_t size);

/** A decimal integer that is the whole first line. *value is untouched on an error. */
int sysfs_read_long(const char *root, const char *path, long *value);

/**
 * Value of a "key<separator>value" line: "MemTotal:  24682416 kB", "inactive_file 4096", "model name : …". text
 * receives what follows the key, a colon or '=' and blanks. -ENODATA if no line has the key.
 */
int sysfs_read_field(const char *root, const char *path, const char *key, char *text, size_t size);

/** The same, as an unsigned integer at the start of the value. */
int sysfs_read_field_u64(const char *root, const char *path, const char *key, uint64_t *value);
