/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/files/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/** 0 if it can be read to an end. Reads of it wait for their writer again. */
static int accept(int descriptor)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return -errno;
    if (S_ISDIR(status.st_mode))
        return -EISDIR;
    if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode))
        return -ENODEV;
    int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0 ? 0 : -errno;
}

/* ---- what gzip packed ---- */

static ssize_t read_packed(void *packed, char *bytes, size_t size)
{
    const int got = gzread(packed, bytes, size < INPUT_LINE_MOST ? (unsigned)size : INPUT_LINE_MOST);
    int error = Z_OK;
    if (got <= 0)
        gzerror(packed, &error);
    if (got >= 0 && error == Z_OK)
        return got;
    if (error != Z_ERRNO)
        errno = error == Z_MEM_ERROR ? ENOMEM : EBADMSG;
    return -1;
}

static int close_packed(void *packed)
{
    gzclose(packed);
    return 0;
}

/** @return NULL, and the descriptor is still open */
static FILE *open_packed(int descriptor)
{
    static const cookie_io_functions_t functions = {.read = read_packed, .close = close_packed};
    int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    gzFile packed = own < 0 ? NULL : gzdopen(own, "r");
    FILE *file = packed ? fopencookie(packed, "r", functions) : NULL;
    if (!file && packed)
        gzclose(packed);
    else if (!packed && own >= 0)
        close(own);
    if (file)
        close(descriptor);
    else
        errno = own < 0 ? errno : ENOMEM;
    return file;
}

static bool is_packed(const char *path)
{
    const size_t length = strlen(path), end = strlen(INPUT_PACKED);
    return length > end && strcmp(path + length - end, INPUT_PACKED) == 0;
}

/* ---- opening ---- */

int input_open(const char *path, FILE **file)
{
    *file = NULL;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return -errno;
    int error = accept(descriptor);
    if (!error) {
        *file = is_packed(path) ? open_packed(descriptor) : fdopen(descriptor, "r");
        error = *file ? 0 : -errno;
    }
    if (error)
        close(descriptor);
    return error;
}

/** Into a file of memory, from whose beginning it is read. */
static int keep(FILE *pipe, FILE *kept)
{
    char bytes[1 << 16];
    size_t got, length = 0;
    errno = 0;
    while ((got = fread(bytes, 1, sizeof bytes, pipe)) > 0) {
        length += got;
        if (length > INPUT_DOCUMENT_MOST)
            return -EFBIG;
        if (fwrite(bytes, 1, got, kept) != got)
            return -ENOMEM;
    }
    if (ferror(pipe))
        return errno ? -errno : -EIO;
    return fseek(kept, 0, SEEK_SET) ? -ENOMEM : 0;
}

int input_open_whole(const char *path, FILE **file)
{
    int error = input_open(path, file);
    if (error || lseek(fileno(*file), 0, SEEK_CUR) >= 0)
        return error;
    int memory = memfd_create("kneepoint", MFD_CLOEXEC);
    FILE *kept = memory < 0 ? NULL : fdopen(memory, "w+");
    error = kept ? keep(*file, kept) : -errno;
    fclose(*file);
    if (error && kept)
        fclose(kept);
    else if (error && memory >= 0)
        close(memory);
    *file = error ? NULL : kept;
    return error;
}

const char *input_error(int error)
{
    switch (-error) {
    case ENODEV: return "it is a device or a socket; name a file";
    case EFBIG: return "a line of it, or all of it, is longer than any file of this tool";
    case ENOMEM: return "not enough memory";
    case EBADMSG: return "it is damaged, or not all of it is there, as `gzip -t` says of it";
    default: return strerror(-error);
    }
}

static int grow(char **line, size_t *capacity)
{
    size_t wanted = *capacity ? 2 * *capacity : 4096;
    char *grown = wanted <= 2 * (size_t)INPUT_LINE_MOST ? realloc(*line, wanted) : NULL;
    if (!grown)
        return wanted <= 2 * (size_t)INPUT_LINE_MOST ? -ENOMEM : -EFBIG;
    *line = grown;
    *capacity = wanted;
    return 0;
}

int input_line(FILE *file, char **line, size_t *capacity, size_t *length)
{
    int byte = 0;
    *length = 0;
    errno = 0;
    while (byte != '\n' && (byte = getc_unlocked(file)) != EOF) {
        int error = *length + 1 < *capacity ? 0 : grow(line, capacity);
        if (!error && *length == INPUT_LINE_MOST)
            error = -EFBIG;
        if (error)
            return error;
        (*line)[(*length)++] = (char)byte;
        (*line)[*length] = '\0';
    }
    if (ferror(file))
        return errno ? -errno : -EIO;
    return *length > 0;
}

struct document {
    FILE *file;
    size_t length;
    int error;
};

static size_t more(void *buffer, size_t size, void *context)
{
    struct document *document = context;
    errno = 0;
    size_t got = fread(buffer, 1, size, document->file);
    document->length += got;
    if (ferror(document->file))
        document->error = errno ? -errno : -EIO;
    else if (document->length > INPUT_DOCUMENT_MOST)
        document->error = -EFBIG;
    return document->error ? (size_t)-1 : got;
}

int input_json_of(FILE *file, size_t flags, json_t **document, char *why, size_t size)
{
    struct document read = {.file = file};
    json_error_t at;
    *document = json_load_callback(more, &read, flags, &at);
    if (*document)
        return 0;
    if (read.error)
        snprintf(why, size, "cannot be read: %s", input_error(read.error));
    else
        snprintf(why, size, "line %d: %s", at.line, at.text);
    return read.error ? read.error : -EINVAL;
}

json_t *input_json(const char *path, char *why, size_t size)
{
    FILE *file;
    json_t *document;
    int error = input_open(path, &file);
    if (error) {
        snprintf(why, size, "cannot be read: %s", input_error(error));
        return NULL;
    }
    (void)input_json_of(file, 0, &document, why, size);
    fclose(file);
    return document;
}
