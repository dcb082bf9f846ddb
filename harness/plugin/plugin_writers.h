/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLUGIN_PLUGIN_WRITERS_H
#define HARNESS_PLUGIN_PLUGIN_WRITERS_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
