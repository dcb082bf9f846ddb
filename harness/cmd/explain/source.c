/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/explain/explain_command.h"

#include <stdbool.h>
#include <string.h>

#include "embedded.h"
#include "registry.h"

#define SOURCE(name, path, macros) {name, path, macros},
/* there may be none */
static const struct source kernel_sources[] = {REGISTRY_KERNEL_SOURCES(SOURCE){NULL, NULL, ""}};
static const struct source sequence_sources[] = {REGISTRY_SEQUENCE_SOURCES(SOURCE){NULL, NULL, ""}};
#undef SOURCE

static const struct source *source_of(const struct source *sources, const char *name)
{
    while (sources->name && strcmp(sources->name, name) != 0)
        sources++;
    return sources;
}

const struct source *source_of_kernel(const char *name)
{
    return source_of(kernel_sources, name);
}

const struct source *source_of_sequence(const char *name)
{
    return source_of(sequence_sources, name);
}

/** Whether a path ends with "/" and this. */
static bool ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), of_end = strlen(end);
    return length > of_end && path[length - of_end - 1] == '/' && strcmp(path + length - of_end, end) == 0;
}

const char *source_path(const char *end)
{
    const struct embedded_file *file = embedded_files;
    while (file->path && !ends_with(file->path, end))
        file++;
    return file->path;
}

const char *source_shared(const char *name)
{
    const struct embedded_file *file = embedded_files;
    while (file->path &&
           (strncmp(file->path, "micro/formats/", strlen("micro/formats/")) == 0 || !ends_with(file->path, name)))
        file++;
    return file->path;
}

size_t source_first_comment(const char *text, char *notes, size_t size)
{
    const char *begin = strstr(text, "/*"), *end = begin ? strstr(begin, "*/") : NULL;
    size_t used = 0;
    notes[0] = 0;
    for (const char *line = end ? begin + 2 : NULL; line && line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((next ? next : end) - line);
        size_t mark = strspn(line, " ");
        if (mark < length && line[mark] == '*')
            mark += line[mark + 1] == ' ' ? 2 : 1;
        if (mark > length)
            mark = length;
        while (length > mark && line[length - 1] == ' ')
            length--;
        bool spdx = length - mark > 4 && memmem(line, length, "SPDX-", 5);
        if (!spdx && (used || length > mark) && used + length - mark + 2 < size) {
            memcpy(notes + used, line + mark, length - mark);
            used += length - mark;
            notes[used++] = '\n';
        }
        line = next ? next + 1 : NULL;
    }
    while (used && notes[used - 1] == '\n')
        used--;
    if (used)
        notes[used++] = '\n';
    notes[used] = 0;
    return used;
}

size_t source_notes(const char *path, char *notes, size_t size)
{
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        if (strcmp(file->path, path) == 0)
            return source_first_comment(file->bytes, notes, size);
    }
    notes[0] = 0;
    return 0;
}
