/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/shape.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embedded.h"

static const char folder[] = "micro/shapes/";

static const char timed_by[] = "# Timed by ";

size_t shapes_parse(const char *model, const char *text, struct shape *shapes, size_t capacity)
{
    size_t count = 0;
    char papers[sizeof shapes->timed_by] = "";
    for (const char *at = text; *at && count < capacity;) {
        struct shape shape = {0};
        char line[256];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        if (strncmp(line, timed_by, sizeof timed_by - 1) == 0) {
            const char *places = line + sizeof timed_by - 1, *last = strrchr(places, ']');
            snprintf(papers, sizeof papers, "%.*s", last ? (int)(last + 1 - places) : 0, places);
        }
        snprintf(shape.model, sizeof shape.model, "%s", model);
        snprintf(shape.timed_by, sizeof shape.timed_by, "%s", papers);
        if (*line != '#' && sscanf(line, "%31s %zu %zu %u", shape.roles, &shape.m, &shape.k, &shape.count) == 4)
            shapes[count++] = shape;
        const char *end = strchr(at, '\n');
        if (!end)
            break;
        at = end + 1;
    }
    return count;
}

static size_t parse_model(const struct embedded_file *file, struct shape *shapes, size_t capacity)
{
    char model[sizeof shapes->model];
    const char *base = file->path + strlen(folder);
    int stem = (int)strcspn(base, ".");
    if (strncmp(base + stem, ".tsv", 4) != 0)
        stem = (int)(strlen(base) - strlen(".tsv"));
    snprintf(model, sizeof model, "%.*s", stem, base);
    return shapes_parse(model, file->bytes, shapes, capacity);
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

size_t shapes_of(const char *model, struct shape *shapes, size_t capacity)
{
    char path[sizeof folder + 64];
    snprintf(path, sizeof path, "%s%.40s.tsv", folder, model);
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        if (strcmp(file->path, path) == 0)
            return parse_model(file, shapes, capacity);
    }
    return 0;
}

bool shape_is_head(const struct shape *shape)
{
    return strcmp(shape->roles, "lm_head") == 0;
}

static bool has_role(const char *roles, const char *role)
{
    size_t length = strlen(role);
    for (const char *at = roles; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        if (strncmp(at, role, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

unsigned shape_operands(const struct shape *shape)
{
    unsigned roles = 1;
    for (const char *at = shape->roles; *at; at++)
        roles += *at == ',';
    bool k_or_v = has_role(shape->roles, "k") || has_role(shape->roles, "v"), q = has_role(shape->roles, "q");
    unsigned operands = roles - (has_role(shape->roles, "k") ? 1 : 0) - (has_role(shape->roles, "v") ? 1 : 0);
    if (k_or_v && !q)
        operands = 0;
    if (has_role(shape->roles, "gate") && has_role(shape->roles, "up"))
        operands--;
    return shape->count / roles * operands;
}

bool shape_is_timed_by(const struct shape *shape, const char *where)
{
    size_t length = strlen(where);
    for (const char *at = strchr(shape->timed_by, '['); at; at = strchr(at + 1, '[')) {
        if (strncmp(at + 1, where, length) == 0 && (at[1 + length] == ',' || at[1 + length] == ']'))
            return true;
    }
    return false;
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
