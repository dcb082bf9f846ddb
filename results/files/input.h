/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdio.h>

/**
 * Files that a user names are read through here: regular files and pipes. A device could be read without end, and opening a
 * FIFO that nothing writes would wait for ever: the first is refused, the second is empty. A file whose name ends in INPUT_PACKED
 * is unpacked as it is read.
 */
#define INPUT_PACKED ".gz"

/** Bytes of a line, and of a JSON document that is read as a whole: what is longer is not ours. */
enum { INPUT_LINE_MOST = 16 << 20, INPUT_DOCUMENT_MOST = 256 << 20 };

/** Open for reading. @return 0, -EISDIR, -ENODEV a device or a socket, or what open(2) says */
int input_open(const char *path, FILE **file);

/** The same of what is read more than once: a pipe is read to its end, up to INPUT_DOCUMENT_MOST bytes, and kept in memory. @return also -EFBIG, -ENOMEM */
int input_open_whole(const char *path, FILE **file);

/** What to say after the name of a file: like strerror, with -ENODEV, -EFBIG, -ENOMEM and, of a packed file, -EBADMSG as this module means them. */
const char *input_error(int error);

/**
 * The next line with its newline, as getline gives it.
 * @param line, capacity  NULL and 0 at first; free(*line) at the end
 * @return 1, 0 at the end of the file, -EFBIG longer than INPUT_LINE_MOST, -ENOMEM, or the error of reading
 */
int input_line(FILE *file, char **line, size_t *capacity, size_t *length);

/**
 * The JSON document that a stream holds, as json_loadf, of at most INPUT_DOCUMENT_MOST bytes.
 * @param document  receives a new reference, or NULL
 * @param why       may be NULL; as of input_json()
 * @return 0, -EINVAL it holds none, -EFBIG, or the error of reading
 */
int input_json_of(FILE *file, size_t flags, json_t **document, char *why, size_t size);

/**
 * The JSON document of a file. @return new reference, or NULL
 * @param why  may be NULL; what to say after the file's name: "line 3: '}' expected near 'x'", "cannot be read: Permission denied"
 */
json_t *input_json(const char *path, char *why, size_t size);
