/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/files/need.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void (*end_program)(void);

void need_or(void (*end)(void))
{
    end_program = end;
}

/** @return what was given */
static bool there(bool enough)
{
    if (!enough && end_program)
        end_program();
    return enough;
}

void *need(size_t count, size_t size)
{
    void *block = calloc(count, size);
    there(block || count == 0 || size == 0);
    return block;
}

void *need_longer(void *block, size_t size)
{
    void *longer = realloc(block, size);
    there(longer || size == 0);
    return longer;
}

char *need_copy(const char *text)
{
    char *copy = strdup(text);
    there(copy);
    return copy;
}

int need_result(int result)
{
    there(result != -ENOMEM);
    return result;
}

FILE *need_stream(char **text, size_t *length)
{
    FILE *stream = open_memstream(text, length);
    there(stream);
    return stream;
}

FILE *need_buffer(char *text, size_t size)
{
    FILE *stream = fmemopen(text, size, "w");
    there(stream);
    return stream;
}

int need_close(FILE *stream)
{
    bool whole = !ferror(stream);
    whole = fclose(stream) == 0 && whole;
    return there(whole) ? 0 : EOF;
}
