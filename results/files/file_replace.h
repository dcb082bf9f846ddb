/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_FILES_FILE_REPLACE_H
#define RESULTS_FILES_FILE_REPLACE_H

#include <stddef.h>

/** Write text to path through a temporary file in the same folder and rename; nothing is left behind on failure. */
int file_replace(const char *path, const void *bytes, size_t length, char *why, size_t size);

#endif
