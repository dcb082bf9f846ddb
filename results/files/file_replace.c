/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/files/file_replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/text/refuse.h"

/* "folder/.name.PID.tmp": hidden, and in the same folder, since rename does not cross file systems. */
static char *temporary_beside(const char *path)
{
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash + 1 - path) : 0;
    char *temporary;
    if (asprintf(&temporary, "%.*s.%s.%ld.tmp", folder, path, path + folder, (long)getpid()) < 0)
        return NULL;
    return temporary;
}

static int write_all(int descriptor, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(descriptor, bytes, length);
        if (written < 0 && errno != EINTR)
            return -errno;
        size_t done = written > 0 ? (size_t)written : 0;
        bytes += done;
        length -= done;
    }
    return fsync(descriptor) == 0 || errno == EINVAL ? 0 : -errno;
}

static int write_new(const char *path, const void *bytes, size_t length)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return -errno;
    int error = write_all(descriptor, bytes, length);
    if (close(descriptor) != 0 && error == 0)
        error = -errno;
    return error;
}

/** The name is on the disk as well. A folder that cannot be read, and a file system that does not sync folders, are left alone. */
static int sync_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
    int descriptor = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int error = descriptor >= 0 && fsync(descriptor) != 0 && errno == EIO ? -EIO : 0;
    if (descriptor >= 0)
        close(descriptor);
    free(folder);
    return error;
}

int file_replace(const char *path, const void *bytes, size_t length, char *why, size_t size)
{
    char *temporary = temporary_beside(path);
    if (!temporary)
        return refuse(-ENOMEM, why, size, "no memory left to write %s", path);

    int error = write_new(temporary, bytes, length);
    if (error == 0 && rename(temporary, path) != 0)
        error = -errno;
    else if (error == 0)
        error = sync_folder_of(path);
    if (error != 0) {
        unlink(temporary);
        refuse(error, why, size, "cannot write %s: %s; choose a place that can be written to", path, strerror(-error));
    }
    free(temporary);
    return error;
}
