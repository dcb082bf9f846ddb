/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/plugin/plugins.h"

/**
 * Plug-ins that were not named: files that end in .so, in name order, of
 *
 *     the folders that KNEEPOINT_PLUGINS names, colons between; if it is not set
 *     plugins                       beside the tool's file, where `make plugins` puts them, and
 *     ../lib/kneepoint/plugins      from there, where they are installed
 *
 * Of two files of one name the one in the former folder is found.
 */
enum { PLUGINS_FOLDERS_MOST = 8 };

struct plugins_found {
    char *folder[PLUGINS_FOLDERS_MOST]; /* that were looked in, whether they exist or not */
    size_t folders;
    char *path[PLUGINS_MOST];
    size_t count;
};

/**
 * @param named       folders with colons between, as KNEEPOINT_PLUGINS has them; NULL: the other two
 * @param executable  absolute path of the tool's file, without links: of /proc/self/exe
 * @return 0, -ENOMEM, or -E2BIG: more folders or files than there is room for. The result is to be released in any case
 */
int plugins_find(const char *named, const char *executable, struct plugins_found *found);
void plugins_found_release(struct plugins_found *found);

/** The folders as a sentence has them: "a, b or c". */
void plugins_found_say_folders(const struct plugins_found *found, char *text, size_t size);

/**
 * Who else can change the code that a path leads to: of the file and every folder above it, links followed, the mode must let
 * nobody but the owner write. A group may write that has the user's name and no other members. In a sticky folder such as /tmp
 * others may write, if what lies in it belongs to the user or to root.
 *
 * Mode bits alone decide, as they do for ssh: access control lists are not read.
 *
 * @param text  "lies in /srv/shared, where others can …", with the remedy; continues after the path; "" if no one else can
 * @return whether someone can
 */
bool plugin_writers_say(const char *path, char *text, size_t size);
