/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLUGIN_PLUGIN_FILE_H
#define HARNESS_PLUGIN_PLUGIN_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

/**
 * The file of a plug-in as it was when it was opened, and whether what was loaded by its path is that.
 *
 * A copy in memory, which cannot be rebuilt, would need no such question. But the loader would look for libraries beside
 * the copy ($ORIGIN), and perf and gdb for a file of its name: so the file itself is loaded, and held against its hash.
 */
enum { PLUGIN_HASH = 20 };

struct plugin_file {
    int fd; /* keeps the number of its inode from being given to another */
    struct stat opened;
    char hash[PLUGIN_HASH]; /* of its bytes: 16 hexadecimal digits */
};

/** Open and hash. @return 0 or negative errno (-ENOEXEC: a FIFO, a socket or a device), and then nothing is open */
int plugin_file_open(const char *path, struct plugin_file *file);
void plugin_file_close(struct plugin_file *file);

/** Whether the path is still that file, with the same bytes: then so was whatever was loaded from it meanwhile. */
bool plugin_file_is(const struct plugin_file *file, const char *path);

/** Whether the file was written to, which may be the code that runs. A new file in its place is no harm. */
bool plugin_file_is_rewritten(const struct plugin_file *file);

#endif
