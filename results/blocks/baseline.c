/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/blocks/baseline.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/files/diffable_json.h"
#include "results/text/refuse.h"
#include "results/text/words.h"

enum { NAME_MOST = 64 };

static const char key[] = "kneepoint_baseline", suffix[] = ".json";

bool baseline_name_is_valid(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > NAME_MOST || !isalnum((unsigned char)name[0]))
        return false;
    for (size_t i = 1; i < length; i++) {
        if (!isalnum((unsigned char)name[i]) && !strchr("._-", name[i]))
            return false;
    }
    return true;
}

int baseline_path(const char *results, const char *name, char *path, size_t size)
{
    if (!baseline_name_is_valid(name))
        return -EINVAL;
    int length = snprintf(path, size, "%s/baselines/%s%s", results, name, suffix);
    return length < 0 || (size_t)length >= size ? -ENAMETOOLONG : 0;
}

static int find_path(const char *results, const char *name, char *path, size_t path_size, char *why, size_t size)
{
    int error = baseline_path(results, name, path, path_size);
    if (error == -EINVAL)
        return refuse(error, why, size,
                      "'%s' cannot name a baseline: letters, digits, '.', '_' and '-', the first a letter or digit, at "
                      "most %d",
                      name, NAME_MOST);
    return error ? refuse(error, why, size, "the path of %s is too long; choose another place", results) : 0;
}

int baseline_save(const char *results, const char *name, const char *source, const struct blocks *blocks, bool replace,
                  char *why, size_t size)
{
    char path[4096];
    int error = find_path(results, name, path, sizeof path, why, size);
    if (error)
        return error;
    if (!replace && access(path, F_OK) == 0)
        return refuse(-EEXIST, why, size, "%s exists; --replace overwrites it", path);
    json_t *values = blocks_to_json(blocks);
    json_t *object = json_pack("{s:i, s:s, s:s}", key, 1, "name", name, "source", source);
    error = object && values && json_object_update(object, values) == 0
                ? diffable_json_write(path, object, why, size)
                : refuse(-ENOMEM, why, size, "no memory left to write %s", path);
    json_decref(object);
    json_decref(values);
    return error;
}

int baseline_read(const char *path, struct blocks *blocks, char *why, size_t size)
{
    json_t *object;
    char reason[256];
    int error = diffable_json_read(path, key, &object, why, size);
    if (error)
        return error;
    error = blocks_from_json(object, blocks, reason, sizeof reason);
    json_decref(object);
    return error ? refuse(error, why, size, "%s: %s; take the file from version control again", path, reason) : 0;
}

static int refuse_unknown(const char *results, const char *name, char *why, size_t size)
{
    char **names, list[256] = "";
    long count = baseline_names(results, &names);
    for (long i = 0; i < count; i++)
        words_add(list, sizeof list, "%s", names[i]);
    if (count >= 0)
        baseline_names_release(names, count);
    if (count <= 0)
        return refuse(-ENOENT, why, size,
                      "no baseline '%s', nor any other in %s/baselines; `kneepoint baseline save` creates one", name,
                      results);
    return refuse(-ENOENT, why, size, "no baseline '%s' in %s/baselines; there are %s", name, results, list);
}

int baseline_load(const char *results, const char *name, struct blocks *blocks, char *why, size_t size)
{
    char path[4096];
    int error = find_path(results, name, path, sizeof path, why, size);
    if (error)
        return error;
    return access(path, F_OK) == 0 ? baseline_read(path, blocks, why, size) : refuse_unknown(results, name, why, size);
}

/* ---- the list ---- */

/** Name of a baseline from that of its file; NULL for another file. */
static char *name_of(const char *file)
{
    size_t length = strlen(file);
    if (length <= sizeof suffix - 1 || strcmp(file + length - (sizeof suffix - 1), suffix) != 0)
        return NULL;
    char *name = strndup(file, length - (sizeof suffix - 1));
    if (name && baseline_name_is_valid(name))
        return name;
    free(name);
    return NULL;
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

long baseline_names(const char *results, char ***names)
{
    char *folder;
    *names = NULL;
    if (asprintf(&folder, "%s/baselines", results) < 0)
        return -ENOMEM;
    DIR *entries = opendir(folder);
    free(folder);
    long count = 0, capacity = 0;
    const struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        char *name = name_of(entry->d_name);
        if (!name)
            continue;
        if (count == capacity) {
            capacity = 2 * capacity + 16;
            char **grown = realloc(*names, (size_t)capacity * sizeof *grown);
            if (!grown) {
                free(name);
                baseline_names_release(*names, count);
                closedir(entries);
                return -ENOMEM;
            }
            *names = grown;
        }
        (*names)[count++] = name;
    }
    if (entries)
        closedir(entries);
    if (count)
        qsort(*names, (size_t)count, sizeof **names, by_name);
    return count;
}

void baseline_names_release(char **names, long count)
{
    for (long i = 0; i < count; i++)
        free(names[i]);
    free(names);
}
