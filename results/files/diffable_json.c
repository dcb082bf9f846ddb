/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/files/diffable_json.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/files/file_replace.h"
#include "results/files/folder.h"
#include "results/files/input.h"
#include "results/files/need.h"
#include "results/text/refuse.h"

enum { DIGITS = JSON_REAL_PRECISION(9) };

static const char *name_of(const json_t *cell)
{
    const char *name = json_string_value(json_object_get(cell, "name"));
    return name ? name : "";
}

static int by_name(const void *left, const void *right)
{
    return strcmp(name_of(*(json_t *const *)left), name_of(*(json_t *const *)right));
}

/** The cells, borrowed, in order of their names. */
static json_t **sorted(const json_t *cells)
{
    size_t count = json_array_size(cells);
    json_t **cell = need(count + 1, sizeof(json_t *));
    for (size_t i = 0; cell && i < count; i++)
        cell[i] = json_array_get(cells, i);
    if (cell)
        qsort(cell, count, sizeof(json_t *), by_name);
    return cell;
}

static bool print_cells(FILE *stream, const json_t *cells)
{
    json_t **cell = sorted(cells);
    bool printed = cell != NULL;
    for (size_t i = 0; printed && i < json_array_size(cells); i++) {
        fputs(i ? ",\n    " : "\n    ", stream);
        printed = json_dumpf(cell[i], stream, JSON_COMPACT | DIGITS) == 0;
    }
    free(cell);
    return printed;
}

/** All but the cells first, so that a reader meets where the numbers come from before the numbers. */
static char *text_of(const json_t *object, size_t *length)
{
    char *text = NULL;
    FILE *stream = need_stream(&text, length);
    json_t *head = json_copy((json_t *)object);
    bool printed = stream && head;
    if (printed) {
        json_object_del(head, "cells");
        char *indented = json_dumps(head, JSON_INDENT(2) | DIGITS);
        char *end = indented ? strrchr(indented, '\n') : NULL;
        printed = end != NULL;
        if (printed)
            fprintf(stream, "%.*s,\n  \"cells\": [", (int)(end - indented), indented);
        free(indented);
    }
    printed = printed && print_cells(stream, json_object_get(object, "cells"));
    if (printed)
        fputs("\n  ]\n}\n", stream);
    json_decref(head);
    if (stream && need_close(stream) != 0)
        printed = false;
    if (!printed) {
        free(text);
        return NULL;
    }
    return text;
}

int diffable_json_write(const char *path, const json_t *object, char *why, size_t size)
{
    size_t length, made_from = 0;
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
    char *text = folder ? text_of(object, &length) : NULL;
    int error = text ? folder_create(folder, &made_from, why, size)
                     : refuse(-ENOMEM, why, size, "no memory left to write %s", path);
    if (!error) {
        error = file_replace(path, text, length, why, size);
        if (error)
            folder_remove(folder, made_from);
    }
    free(text);
    free(folder);
    return error;
}

int diffable_json_read(const char *path, const char *key, json_t **object, char *why, size_t size)
{
    if (access(path, F_OK) != 0)
        return refuse(-errno, why, size, "no file %s: %s", path, strerror(errno));
    char wrong[512];
    json_t *read = input_json(path, wrong, sizeof wrong);
    if (!read)
        return refuse(-EINVAL, why, size, "%s %s; take the file from version control again", path, wrong);
    if (json_integer_value(json_object_get(read, key)) == 1 && json_is_array(json_object_get(read, "cells"))) {
        *object = read;
        return 0;
    }
    json_decref(read);
    return refuse(-EINVAL, why, size, "%s is not a file of that kind (no \"%s\": 1 with \"cells\")", path, key);
}
