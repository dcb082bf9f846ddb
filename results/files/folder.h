/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * Create a folder with its parents. A place that cannot be written is refused before anything is made, and what was
 * made is removed again on failure.
 * @param made_from  length of the first prefix of path that had to be made; the length of path plus 1 if none had to
 * @return 0 or negative errno with the reason in why
 */
int folder_create(const char *path, size_t *made_from, char *why, size_t size);

/** Remove the folders that folder_create made, deepest first, as far as they are empty. */
void folder_remove(const char *path, size_t made_from);

/**
 * A new folder of this process alone, in $TMPDIR or /tmp.
 * @param path  receives it, "" on failure
 * @return 0, or a negative errno with one line in why
 */
int temporary_folder_make(char *path, size_t path_size, char *why, size_t size);

/** Remove it with all that is in it; "" is fine. */
void temporary_folder_remove(const char *path);
