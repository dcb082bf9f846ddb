/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** Write text to path through a temporary file in the same folder and rename; nothing is left behind on failure. */
int file_replace(const char *path, const void *bytes, size_t length, char *why, size_t size);

/**
 * The same piece by piece, of files too large for memory: begin, add, then end, which renames, or drop. On an error everything is dropped,
 * and there is nothing left to end.
 */
struct file_replacement {
    const char *path; /* that the caller keeps */
    char *temporary;
    int descriptor;
};

/** @param bytes  that will be added, for which room is kept where the file system can; 0: not known */
int file_replacement_begin(struct file_replacement *file, const char *path, uint64_t bytes, char *why, size_t size);
int file_replacement_add(struct file_replacement *file, const void *bytes, size_t length, char *why, size_t size);
int file_replacement_end(struct file_replacement *file, char *why, size_t size);
void file_replacement_drop(struct file_replacement *file);
