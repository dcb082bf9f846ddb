/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/shape.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embedded.h"

static const char folder[] = "micro/shapes/";
static const char papers_line[] = "# papers: ";

static size_t parse_model(const struct embedded_file *file, struct shape *shapes, size_t capacity)
{
    size_t count = 0;
    char papers[sizeof shapes->papers] = "";
    const char *base = file->path + strlen(folder);
    int stem = (int)strcspn(base, ".");
    if (strncmp(base + stem, ".tsv", 4) != 0)
        stem = (int)(strlen(base) - strlen(".tsv"));
    for (const char *line = file->bytes; *line && count < capacity;) {
        struct shape shape = {0};
        char text[160];
        snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
        if (strncmp(text, papers_line, strlen(papers_line)) == 0)
            snprintf(papers, sizeof papers, "%.*s", (int)sizeof papers - 1, text + strlen(papers_line));
        memcpy(shape.papers, papers, sizeof papers);
        snprintf(shape.model, sizeof shape.model, "%.*s", stem, base);
        if (*line != '#' && sscanf(text, "%31s %zu %zu %u", shape.roles, &shape.m, &shape.k, &shape.count) == 4)
            shapes[count++] = shape;
        const char *end = strchr(line, '\n');
        if (!end)
            break;
        line = end + 1;
    }
    return count;
}

size_t shapes_all(struct shape *shapes, size_t capacity)
{
    size_t count = 0;
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        if (strncmp(file->path, folder, strlen(folder)) == 0)
            count += parse_model(file, shapes + count, capacity - count);
    }
    return count;
}

bool shape_is_of_paper(const struct shape *shape, const char *paper)
{
    size_t length = strlen(paper);
    for (const char *at = shape->papers; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        if (strcspn(at, " ") == length && strncmp(at, paper, length) == 0)
            return true;
    }
    return false;
}

bool shape_is_head(const struct shape *shape)
{
    return strcmp(shape->roles, "lm_head") == 0;
}

static int parse_side(const char *text, char end, size_t *value, const char **rest)
{
    if (*text < '0' || *text > '9')
        return -EINVAL;
    errno = 0;
    char *after;
    unsigned long long side = strtoull(text, &after, 10);
    if (errno || *after != end || side < 1 || side > INT32_MAX)
        return -EINVAL;
    *value = (size_t)side;
    *rest = after + 1;
    return 0;
}

int shape_parse(const char *text, size_t *m, size_t *k)
{
    size_t rows, columns;
    const char *rest;
    if (parse_side(text, 'x', &rows, &rest) || parse_side(rest, 0, &columns, &rest))
        return -EINVAL;
    *m = rows;
    *k = columns;
    return 0;
}
