/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/described/described_open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "embedded.h"

static const char known_folder[] = "platforms/known/";
static const char known_suffix[] = ".json";

/* A description has a few kilobytes; this keeps a wrong file from being read whole. */
enum { LARGEST_FILE_BYTES = 4 << 20 };

static bool ends_with(const char *text, const char *suffix)
{
    size_t length = strlen(text);
    return length >= strlen(suffix) && strcmp(text + length - strlen(suffix), suffix) == 0;
}

static const struct embedded_file *known_file(size_t index)
{
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        bool is_known = strncmp(file->path, known_folder, strlen(known_folder)) == 0;
        if (is_known && ends_with(file->path, known_suffix) && index-- == 0)
            return file;
    }
    return NULL;
}

size_t described_known_name(size_t index, char *name, size_t size)
{
    const struct embedded_file *file = known_file(index);
    if (!file)
        return 0;
    const char *stem = file->path + strlen(known_folder);
    int length = (int)(strlen(stem) - strlen(known_suffix));
    snprintf(name, size, "%.*s", length, stem);
    return (size_t)length;
}

static void complain_of_unknown(const char *name, char *why, size_t size)
{
    int used = snprintf(why, size, "unknown platform '%s'; known:", name);
    char known[128];
    for (size_t i = 0; used >= 0 && (size_t)used < size && described_known_name(i, known, sizeof known); i++)
        used += snprintf(why + used, size - (size_t)used, "%s %s", i > 0 ? "," : "", known);
    if (used >= 0 && (size_t)used < size)
        snprintf(why + used, size - (size_t)used, "; or name a platform file (.json)");
}

int described_find(const char *name, struct described_platform *platform, char *why, size_t size)
{
    char known[128];
    *platform = (struct described_platform){0};
    for (size_t i = 0; described_known_name(i, known, sizeof known); i++) {
        const struct embedded_file *file = known_file(i);
        if (strcasecmp(known, name) == 0)
            return described_parse(file->bytes, file->length, file->path, platform, why, size);
    }
    complain_of_unknown(name, why, size);
    return -ENOENT;
}

/** A device has no end, and a FIFO that nothing writes is waited for without one. */
static int open_regular(const char *path, FILE **file)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return -errno;
    int error = fstat(descriptor, &status) ? -errno
                : S_ISDIR(status.st_mode)  ? -EISDIR
                : !S_ISREG(status.st_mode) ? -ENOTSUP
                                           : 0;
    *file = error ? NULL : fdopen(descriptor, "r");
    if (!error && !*file)
        error = -errno;
    if (error)
        close(descriptor);
    return error;
}

static int read_whole(FILE *file, char **text, size_t *length)
{
    int error = 0;
    *text = malloc(LARGEST_FILE_BYTES);
    if (!*text)
        return -ENOMEM;
    *length = fread(*text, 1, LARGEST_FILE_BYTES, file);
    if (ferror(file))
        error = errno ? -errno : -EIO;
    else if (*length == LARGEST_FILE_BYTES)
        error = -EFBIG;
    if (error != 0)
        free(*text);
    return error;
}

int described_load(const char *path, struct described_platform *platform, char *why, size_t size)
{
    char *text = NULL;
    size_t length = 0;
    *platform = (struct described_platform){0};
    FILE *file = NULL;
    int error = open_regular(path, &file);
    if (!error) {
        error = read_whole(file, &text, &length);
        fclose(file);
    }
    if (error) {
        snprintf(why, size, "cannot read the platform file %s: %s", path,
                 error == -ENOTSUP ? "it is a device or a pipe; name a file" : strerror(-error));
        return error;
    }
    error = described_parse(text, length, path, platform, why, size);
    free(text);
    return error;
}

int described_open(const char *name_or_path, struct described_platform *platform, char *why, size_t size)
{
    if (strchr(name_or_path, '/') || ends_with(name_or_path, known_suffix))
        return described_load(name_or_path, platform, why, size);
    return described_find(name_or_path, platform, why, size);
}
