/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/paper_values.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "embedded.h"
#include "roofline/interval.h"

static json_t *paper_open(const char *paper)
{
    char path[128];
    snprintf(path, sizeof path, "roofline/papers/%s.json", paper);
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        if (strcmp(file->path, path) == 0)
            return json_loadb(file->bytes, file->length, 0, NULL);
    }
    return NULL;
}

static double nominal(const json_t *text)
{
    struct figure_printed figure;
    const char *rest;
    return json_is_string(text) && interval_parse(json_string_value(text), &figure, &rest) == 0 ? figure.nominal
                                                                                                : (double)NAN;
}

size_t paper_values(const char *paper, const char *column, double *values, size_t capacity)
{
    json_t *root = paper_open(paper);
    const json_t *list = json_object_get(json_object_get(json_object_get(root, "values"), column), "values");
    size_t count = json_array_size(list) < capacity ? json_array_size(list) : capacity;
    for (size_t i = 0; i < capacity; i++)
        values[i] = i < count ? nominal(json_array_get(list, i)) : (double)NAN;
    json_decref(root);
    return count;
}

double paper_stated(const char *paper, const char *claim)
{
    json_t *root = paper_open(paper);
    const json_t *claims = json_object_get(root, "claims");
    double stated = NAN;
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const json_t *at = json_array_get(claims, i);
        const char *id = json_string_value(json_object_get(at, "id"));
        if (id && strcmp(id, claim) == 0)
            stated = nominal(json_object_get(at, "stated"));
    }
    json_decref(root);
    return stated;
}
