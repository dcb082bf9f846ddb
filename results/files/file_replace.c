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

/** Nothing is left of it. @return error */
static int give_up(struct file_replacement *file, int error, char *why, size_t size)
{
    file_replacement_drop(file);
    return refuse(error, why, size, "cannot write %s: %s; choose a place that can be written to", file->path,
                  strerror(-error));
}

int file_replacement_begin(struct file_replacement *file, const char *path, uint64_t bytes, char *why, size_t size)
{
    *file = (struct file_replacement){.path = path, .temporary = temporary_beside(path), .descriptor = -1};
    if (!file->temporary)
        return refuse(-ENOMEM, why, size, "no memory left to write %s", path);
    file->descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file->descriptor < 0)
        return give_up(file, -errno, why, size);
    if (bytes && fallocate(file->descriptor, 0, 0, (off_t)bytes) != 0 && errno != EOPNOTSUPP && errno != ENOSYS)
        return give_up(file, -errno, why, size);
    return 0;
}

int file_replacement_add(struct file_replacement *file, const void *bytes, size_t length, char *why, size_t size)
{
    const char *at = bytes;
    while (length > 0) {
        ssize_t written = write(file->descriptor, at, length);
        if (written < 0 && errno != EINTR)
            return give_up(file, -errno, why, size);
        size_t done = written > 0 ? (size_t)written : 0;
        at += done;
        length -= done;
    }
    return 0;
}

int file_replacement_end(struct file_replacement *file, char *why, size_t size)
{
    int error = fsync(file->descriptor) == 0 || errno == EINVAL ? 0 : -errno;
    if (close(file->descriptor) != 0 && error == 0)
        error = -errno;
    file->descriptor = -1;
    if (error == 0 && rename(file->temporary, file->path) != 0)
        error = -errno;
    else if (error == 0)
        error = sync_folder_of(file->path);
    if (error != 0)
        return give_up(file, error, why, size);
    free(file->temporary);
    return 0;
}

void file_replacement_drop(struct file_replacement *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    if (file->temporary)
        unlink(file->temporary);
    free(file->temporary);
    file->temporary = NULL;
    file->descriptor = -1;
}

int file_replace(const char *path, const void *bytes, size_t length, char *why, size_t size)
{
    struct file_replacement file;
    int error = file_replacement_begin(&file, path, 0, why, size);
    if (!error)
        error = file_replacement_add(&file, bytes, length, why, size);
    return error ? error : file_replacement_end(&file, why, size);
}
