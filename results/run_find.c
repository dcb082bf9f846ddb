/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "results/run.h"

/* <platform>/<run>, or <run> itself when the folder of one platform was named. */
enum { DEEPEST_RUN = 2 };

int run_folder(const char *results, const char *platform, char *path, size_t size)
{
    return (size_t)snprintf(path, size, "%s/runs/%s", results, platform) < size ? 0 : -ENAMETOOLONG;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A name without a timestamp says nothing about age, so it counts as older than any with one. */
static bool is_newer(const char *path, const char *newest)
{
    const char *name = name_of(path);
    const char *best = name_of(newest);
    bool dated = isdigit((unsigned char)*name);
    bool best_dated = isdigit((unsigned char)*best);
    if (dated != best_dated)
        return dated;
    int order = strcmp(name, best);
    return order != 0 ? order > 0 : strcmp(path, newest) > 0;
}

static bool holds(const char *folder, const char *file)
{
    struct stat status;
    char *path;
    if (asprintf(&path, "%s/%s", folder, file) < 0)
        return false;
    bool held = stat(path, &status) == 0 && S_ISREG(status.st_mode);
    free(path);
    return held;
}

static int search_below(const char *folder, int depth, const char *file, char **newest);

/* Takes path over. */
static int consider(char *path, int depth, const char *file, char **newest)
{
    int error = 0;
    if (!holds(path, "meta.json")) {
        if (depth < DEEPEST_RUN)
            error = search_below(path, depth + 1, file, newest);
    } else if (holds(path, file) && (!*newest || is_newer(path, *newest))) {
        free(*newest);
        *newest = path;
        return 0;
    }
    free(path);
    return error;
}

/* What cannot be opened (a file, a folder of someone else) holds no run for us. */
static int search_below(const char *folder, int depth, const char *file, char **newest)
{
    DIR *entries = opendir(folder);
    if (!entries)
        return errno == ENOMEM ? -ENOMEM : 0;
    int error = 0;
    const struct dirent *entry;
    while (error == 0 && (entry = readdir(entries))) {
        char *path;
        if (entry->d_name[0] == '.')
            continue;
        if (asprintf(&path, "%s/%s", folder, entry->d_name) < 0)
            error = -ENOMEM;
        else
            error = consider(path, depth, file, newest);
    }
    closedir(entries);
    return error;
}

int run_find_newest(const char *results_folder, char *path, size_t size)
{
    return run_find_newest_with(results_folder, "meta.json", path, size);
}

int run_find_newest_with(const char *results_folder, const char *file, char *path, size_t size)
{
    char *newest = NULL, *runs;
    if (asprintf(&runs, "%s/runs", results_folder) < 0)
        return -ENOMEM;
    int error = search_below(runs, 1, file, &newest);
    free(runs);
    if (error == 0) /* where runs of schema 1 were written, or the folder of the runs itself was named */
        error = search_below(results_folder, 1, file, &newest);
    if (error == 0 && !newest)
        error = -ENOENT;
    if (error == 0 && (size_t)snprintf(path, size, "%s", newest) >= size)
        error = -ENAMETOOLONG;
    free(newest);
    return error;
}
