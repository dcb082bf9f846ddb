/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "results/files/input.h"
#include "results/records/run.h"

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

/** What is looked for, and what was found so far. */
struct search {
    const char *file;
    char *newest;
    bool emulated; /* one was passed over */
};

/* A run that cannot be read is found; its reader reports the damage. */
static bool is_emulated(const char *folder)
{
    char *path;
    if (asprintf(&path, "%s/meta.json", folder) < 0)
        return false;
    json_t *meta = input_json(path, NULL, 0);
    bool emulated = json_is_string(json_object_get(json_object_get(meta, "cpu"), "emulated"));
    json_decref(meta);
    free(path);
    return emulated;
}

static int search_below(const char *folder, int depth, struct search *search);

/* Takes path over. */
static int consider(char *path, int depth, struct search *search)
{
    int error = 0;
    if (!holds(path, "meta.json")) {
        if (depth < DEEPEST_RUN)
            error = search_below(path, depth + 1, search);
    } else if (holds(path, search->file) && (!search->newest || is_newer(path, search->newest))) {
        if (!is_emulated(path)) {
            free(search->newest);
            search->newest = path;
            return 0;
        }
        search->emulated = true;
    }
    free(path);
    return error;
}

/* What cannot be opened (a file, a folder of someone else) holds no run for us. */
static int search_below(const char *folder, int depth, struct search *search)
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
            error = consider(path, depth, search);
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
    struct search search = {.file = file};
    char *runs;
    if (asprintf(&runs, "%s/runs", results_folder) < 0)
        return -ENOMEM;
    int error = search_below(runs, 1, &search);
    free(runs);
    if (error == 0) /* where the folder of the runs itself was named */
        error = search_below(results_folder, 1, &search);
    if (error == 0 && !search.newest)
        error = search.emulated ? -EXDEV : -ENOENT;
    if (error == 0 && (size_t)snprintf(path, size, "%s", search.newest) >= size)
        error = -ENAMETOOLONG;
    free(search.newest);
    return error;
}
