/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/files/temporary_folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
