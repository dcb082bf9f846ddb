/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_FILES_TEMPORARY_FOLDER_H
#define RESULTS_FILES_TEMPORARY_FOLDER_H

#include <stddef.h>

/**
 * A new folder of this process alone, in $TMPDIR or /tmp.
 * @param path  receives it, "" on failure
 * @return 0, or a negative errno with one line in why
 */
int temporary_folder_make(char *path, size_t path_size, char *why, size_t size);

/** Remove it with all that is in it; "" is fine. */
void temporary_folder_remove(const char *path);

#endif
