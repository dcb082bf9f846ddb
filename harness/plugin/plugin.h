/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "harness/plugin/plugin_output.h"
#include "micro/plugin.h"

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

/**
 * One plug-in (micro/plugin.h): its file, what is wrong with it, and its entries with formats of ours put in place.
 *
 * Errors: 0 or negative errno with one line in why that begins with the path.
 */
enum { PLUGIN_WHY = 512, PLUGIN_TAG = 24 };

/** Where two plug-ins are of one name, builds of one: what tells the entries of the later one apart. */
struct plugin_names {
    char tag[PLUGIN_TAG]; /* of its path, what is not that of the other: "new" of new/mine.so beside old/mine.so; "" alone */
    const char *former; /* of the plug-in, without it */
    bool numbered;      /* it ends in a number, since a third build has the same part of its path */
    char **text;        /* names that were made with it */
    size_t count;
};

struct plugin {
    const char *path;        /* as given */
    bool found;              /* beside those that were named: its faults are not those of what was asked for */
    struct plugin_file file; /* what was loaded */
    void *handle;
    struct kneepoint_plugin described;          /* as it describes itself */
    const struct kneepoint_plugin *description; /* that */
    /* copies: whole, and the lists of them, which end with NULL */
    struct format *format;
    struct kernel *kernel;
    struct sequence *sequence;
    const struct format **formats;
    const struct kernel **kernels;
    const struct sequence **sequences;
    struct plugin_names names;
};

/** Whether a name that a user gave means a plug-in: it has a slash, or ends in .so. */
bool plugin_is_named(const char *given);

/**
 * Load a plug-in, call its init() and hold its descriptions against the rules, first in a child process, since merely loading
 * it runs its code. Nothing else of it is called. Call before the process has threads.
 * @param others  that are loaded: one of the name of one of these, from another path, is taken for another build of it, and is
 *                called "mine-new"; its formats, and kernels and sequences of formats of ours, have "_new" appended to their names
 * @param said    receives what it prints
 * @return 0; -ENOENT, -EACCES … the file cannot be read; -EINVAL it is no plug-in, or one that breaks a rule; -ENOTSUP its
 * init() refused; -EBUSY it starts a thread that goes on running; -ESTALE it was rebuilt meanwhile
 */
int plugin_load(const char *path, const struct plugin *others, unsigned count, struct plugin *plugin,
                struct plugin_output *said, char *why, size_t size);

/** Forget it. Its code stays in memory: threads that it started may run it. */
void plugin_unload(struct plugin *plugin);

/** Hash of a file's bytes, PLUGIN_HASH bytes of text; for what is not loaded here. @return 0 or negative errno */
int plugin_hash(const char *path, char *text, size_t size);

/** {"version", "file", "hash", "kernels", "formats", "sequences"}. New reference. */
json_t *plugin_json(const struct plugin *plugin);
