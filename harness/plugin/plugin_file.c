/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "results/text/hash.h"

static int hash_of(int fd, char text[PLUGIN_HASH])
{
    unsigned char bytes[16384];
    uint64_t hash = HASH_BEGIN;
    ssize_t got;
    for (off_t at = 0; (got = pread(fd, bytes, sizeof bytes, at)) > 0; at += got)
        hash = hash_bytes(hash, bytes, (size_t)got);
    snprintf(text, PLUGIN_HASH, "%016lx", (unsigned long)hash);
    return got < 0 ? -errno : 0;
}

int plugin_file_open(const char *path, struct plugin_file *file)
{
    /* a FIFO without a writer would block for ever, and so would the loader */
    *file = (struct plugin_file){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file->fd < 0)
        return -errno;
    int error = fstat(file->fd, &file->opened)  ? -errno
                : S_ISDIR(file->opened.st_mode) ? -EISDIR
                : S_ISREG(file->opened.st_mode) ? hash_of(file->fd, file->hash)
                                                : -ENOEXEC;
    if (error)
        plugin_file_close(file);
    return error;
}

void plugin_file_close(struct plugin_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

bool plugin_file_is(const struct plugin_file *file, const char *path)
{
    struct stat now;
    char hash[PLUGIN_HASH];
    return stat(path, &now) == 0 && now.st_dev == file->opened.st_dev && now.st_ino == file->opened.st_ino &&
           !plugin_file_is_rewritten(file) && hash_of(file->fd, hash) == 0 && strcmp(hash, file->hash) == 0;
}

bool plugin_file_is_rewritten(const struct plugin_file *file)
{
    struct stat now;
    const struct timespec *before = &file->opened.st_mtim;
    return fstat(file->fd, &now) != 0 || now.st_size != file->opened.st_size || now.st_mtim.tv_sec != before->tv_sec ||
           now.st_mtim.tv_nsec != before->tv_nsec;
}
