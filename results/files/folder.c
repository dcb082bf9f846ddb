/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/files/folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/text/refuse.h"

/* Length of the next longer prefix of path that ends a component, at least `from`; 0 at the end. */
static size_t next_prefix(const char *path, size_t from)
{
    size_t length = from;
    while (path[length] == '/')
        length++;
    if (path[length] == '\0')
        return 0;
    return length + strcspn(path + length, "/");
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The deepest prefix that exists, "" for none of a relative path; it must be a folder that can be written. */
static int check_ancestor(const char *path, char *ancestor, char *why, size_t size)
{
    strcpy(ancestor, path[0] == '/' ? "/" : "");
    char prefix[strlen(path) + 1];
    for (size_t length = next_prefix(path, 0); length; length = next_prefix(path, length)) {
        memcpy(prefix, path, length);
        prefix[length] = '\0';
        struct stat status;
        if (lstat(prefix, &status) != 0) {
            if (errno != ENOENT)
                return refuse(-errno, why, size, "cannot use %s: %s", prefix, strerror(errno));
            break;
        }
        if (!is_folder(prefix))
            return refuse(-ENOTDIR, why, size, "%s is not a folder; choose another place for the results", prefix);
        strcpy(ancestor, prefix);
    }
    const char *place = *ancestor ? ancestor : ".";
    if (access(place, W_OK | X_OK) != 0)
        return refuse(-errno, why, size, "cannot write to %s: %s; choose another place for the results", place,
                      strerror(errno));
    return 0;
}

static int make_below(const char *path, size_t existing, size_t *made_from, char *why, size_t size)
{
    char prefix[strlen(path) + 1];
    for (size_t length = next_prefix(path, existing); length; length = next_prefix(path, length)) {
        memcpy(prefix, path, length);
        prefix[length] = '\0';
        if (mkdir(prefix, 0777) == 0) {
            if (length < *made_from)
                *made_from = length;
        } else if (errno != EEXIST || !is_folder(prefix)) {
            int error = -errno;
            folder_remove(path, *made_from);
            return refuse(error, why, size, "cannot create %s: %s; choose another place for the results", prefix,
                          strerror(-error));
        }
    }
    return 0;
}

int folder_create(const char *path, size_t *made_from, char *why, size_t size)
{
    *made_from = strlen(path) + 1;
    if (*path == '\0')
        return refuse(-EINVAL, why, size, "the folder of the run has no name");
    char *ancestor = malloc(strlen(path) + 2);
    if (!ancestor)
        return refuse(-ENOMEM, why, size, "no memory left to create %s", path);
    int error = check_ancestor(path, ancestor, why, size);
    if (error == 0)
        error = make_below(path, strlen(ancestor), made_from, why, size);
    free(ancestor);
    return error;
}

void folder_remove(const char *path, size_t made_from)
{
    char prefix[strlen(path) + 1];
    strcpy(prefix, path);
    for (size_t length = strlen(path); length >= made_from && length > 0; length--) {
        bool ends_component = (path[length] == '/' || path[length] == '\0') && path[length - 1] != '/';
        prefix[length] = '\0';
        if (ends_component)
            rmdir(prefix); /* one that is not empty, or was never made, stays as it is */
    }
}

int temporary_folder_make(char *path, size_t path_size, char *why, size_t size)
{
    const char *parent = getenv("TMPDIR");
    int length = snprintf(path, path_size, "%s/kneepoint-XXXXXX", parent && parent[0] ? parent : "/tmp");
    int error = length < 0 || (size_t)length >= path_size ? ENAMETOOLONG : 0;
    if (!error && !mkdtemp(path))
        error = errno;
    if (error) {
        snprintf(why, size, "cannot create the folder %s: %s; set TMPDIR to one that can be written to", path,
                 strerror(error));
        path[0] = '\0';
    }
    return -error;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    remove(path);
    return 0;
}

void temporary_folder_remove(const char *path)
{
    if (path[0])
        nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
