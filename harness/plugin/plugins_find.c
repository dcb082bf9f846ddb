/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/plugins_find.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add_folder(struct plugins_found *found, char *folder)
{
    if (!folder)
        return -ENOMEM;
    if (found->folders == PLUGINS_FOLDERS_MOST) {
        free(folder);
        return -E2BIG;
    }
    found->folder[found->folders++] = folder;
    return 0;
}

static int add_named(struct plugins_found *found, const char *named)
{
    int error = 0;
    for (const char *at = named; !error && *at;) {
        size_t length = strcspn(at, ":");
        if (length)
            error = add_folder(found, strndup(at, length));
        at += length + (at[length] == ':');
    }
    return error;
}

/** A folder in the one that is this many above a file: 1 is its own. */
static char *above(const char *file, unsigned levels, const char *folder)
{
    size_t length = strlen(file);
    char *path = NULL;
    for (; levels; levels--) {
        while (length && file[length - 1] != '/')
            length--;
        length -= length > 0;
    }
    return asprintf(&path, "%.*s/%s", (int)length, file, folder) < 0 ? NULL : path;
}

static const char *name_of(const char *path)
{
    return strrchr(path, '/') + 1;
}

static int add_file(struct plugins_found *found, const char *folder, const char *name)
{
    for (size_t i = 0; i < found->count; i++) {
        if (strcmp(name_of(found->path[i]), name) == 0)
            return 0;
    }
    if (found->count == PLUGINS_MOST)
        return -E2BIG;
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return -ENOMEM;
    found->path[found->count++] = path;
    return 0;
}

static int is_plugin(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > 3 && strcmp(entry->d_name + length - 3, ".so") == 0;
}

/** Those of one folder; one that is not there, or is not to be read, has none. */
static int look_in(struct plugins_found *found, const char *folder)
{
    struct dirent **entry;
    int count = scandir(folder, &entry, is_plugin, alphasort), error = 0;
    if (count < 0)
        return errno == ENOMEM ? -ENOMEM : 0;
    for (int i = 0; i < count; i++) {
        error = error ? error : add_file(found, folder, entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
    return error;
}

int plugins_find(const char *named, const char *executable, struct plugins_found *found)
{
    *found = (struct plugins_found){0};
    int error = named ? add_named(found, named) : add_folder(found, above(executable, 1, "plugins"));
    if (!error && !named)
        error = add_folder(found, above(executable, 2, "lib/kneepoint/plugins"));
    for (size_t i = 0; !error && i < found->folders; i++)
        error = look_in(found, found->folder[i]);
    return error;
}

void plugins_found_release(struct plugins_found *found)
{
    for (size_t i = 0; i < found->folders; i++)
        free(found->folder[i]);
    for (size_t i = 0; i < found->count; i++)
        free(found->path[i]);
    *found = (struct plugins_found){0};
}

void plugins_found_say_folders(const struct plugins_found *found, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", found->folders ? "" : "any folder");
    for (size_t i = 0; i < found->folders && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i == 0                    ? ""
                                 : i + 1 == found->folders ? " or "
                                                           : ", ",
                                 found->folder[i]);
}
