/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdio.h>

/**
 * Memory without which a result would lack a part, or be another one: a statistic, a summary, a row. It is calloc's, to be freed as such.
 * @return NULL without memory, unless the program has said what ends it then
 */
void *need(size_t count, size_t size);

/** A block that is longer, as of realloc, and a copy of a text. NULL likewise; the block is as it was then. */
void *need_longer(void *block, size_t size);
char *need_copy(const char *text);

/** What another function returned: -ENOMEM ends the program likewise. @return it */
int need_result(int result);

/** Streams into memory, as of open_memstream and fmemopen. NULL likewise. */
FILE *need_stream(char **text, size_t *length);
FILE *need_buffer(char *text, size_t size);

/** Close a stream of need_stream. @return 0, or EOF if a part of what was written is missing, likewise */
int need_close(FILE *stream);

/** What ends this program where there is no memory that it needs; once, at its start. */
void need_or(void (*end)(void));
