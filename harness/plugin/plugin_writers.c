/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/plugins_find.h"

#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** The group that Debian and others make for each user: files of it are writable by it where the umask is 002. */
static bool is_own_group(gid_t id)
{
    const struct passwd *user = getpwuid(geteuid());
    char name[256];
    snprintf(name, sizeof name, "%s", user ? user->pw_name : "");
    const struct group *group = getgrgid(id);
    if (!group || strcmp(group->gr_name, name) != 0)
        return false;
    for (char *const *member = group->gr_mem; *member; member++) {
        if (strcmp(*member, name) != 0)
            return false;
    }
    return true;
}

static bool is_of_user_or_root(const struct stat *entry)
{
    return entry->st_uid == geteuid() || entry->st_uid == 0;
}

/** @param inside  what lies in it, of a folder; NULL for a file */
static bool others_write(const struct stat *entry, const struct stat *inside)
{
    bool all = entry->st_mode & S_IWOTH, group = entry->st_mode & S_IWGRP;
    if (inside && entry->st_mode & S_ISVTX && is_of_user_or_root(inside))
        return false;
    return all || (group && !is_own_group(entry->st_gid));
}

bool plugin_writers_say(const char *path, char *text, size_t size)
{
    char at[PATH_MAX];
    struct stat entry, inside;
    text[0] = '\0';
    if (!realpath(path, at) || stat(at, &entry) != 0)
        return false;
    bool found = others_write(&entry, NULL);
    if (found)
        snprintf(text, size, "can be written by others, whose code would run as you; `chmod go-w` it");
    while (!found && strcmp(at, "/") != 0) {
        char *end = strrchr(at, '/');
        end[end == at] = '\0';
        inside = entry;
        if (stat(at, &entry) != 0)
            return false;
        found = others_write(&entry, &inside);
        if (found)
            snprintf(text, size, "lies in %s, where others can put another, which would run as you; %s", at,
                     entry.st_mode & S_ISVTX ? "copy it to a folder of your own" : "`chmod go-w` that folder");
    }
    return found;
}
