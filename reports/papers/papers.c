/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/papers/papers.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embedded.h"
#include "reports/papers/claim.h"
#include "results/files/need.h"

enum { FILE_VERSION = 1 };

static const char folder[] = "roofline/papers/";

static void free_claim(struct papers_claim *claim)
{
    for (size_t i = 0; i < claim->reading_count; i++)
        papers_free_reading(&claim->readings[i]);
    free(claim->readings);
}

static struct papers_claim *add_claim(struct papers *papers)
{
    if (papers->count == papers->capacity) {
        size_t capacity = papers->capacity ? 2 * papers->capacity : 128;
        struct papers_claim *grown = realloc(papers->claims, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        papers->claims = grown;
        papers->capacity = capacity;
    }
    struct papers_claim *claim = &papers->claims[papers->count++];
    *claim = (struct papers_claim){0};
    return claim;
}

static int read_readings(const struct papers_source *source, const char *path, json_t *entry,
                         struct papers_claim *claim)
{
    static const char *const members[] = {"with", "formula", "inputs", "stated", NULL};
    json_t *others = json_object_get(entry, "readings");
    size_t count = 1 + json_array_size(others);
    if (others && !json_is_array(others)) {
        char field[FIELD_PATH_SIZE];
        return field_reject(source->reader, field_member(field, path, "readings"), "must be an array");
    }
    claim->readings = need(count, sizeof *claim->readings);
    if (!claim->readings)
        return field_out_of_memory(source->reader);
    int error = 0;
    for (size_t i = 0; i < count && !error; i++) {
        char field[FIELD_PATH_SIZE];
        json_t *other = i ? json_array_get(others, i - 1) : NULL;
        snprintf(field, sizeof field, i ? "%.150s.readings[%zu]" : "%s", path, i - 1);
        error = i ? field_object(source->reader, field, other) : 0;
        if (i && !error)
            error = field_known(source->reader, field, other, members);
        if (error)
            break;
        claim->reading_count++;
        error = papers_read_reading(source, field, entry, other, &claim->readings[i]);
    }
    return error;
}

/* A value that no formula uses is a slip of the file. */
static int refuse_unused(const struct papers_source *source, const char *path, json_t *entry,
                         const struct papers_claim *claim)
{
    const char *name;
    json_t *input;
    json_object_foreach(json_object_get(entry, "inputs"), name, input)
    {
        size_t uses = 0;
        for (size_t i = 0; i < claim->reading_count; i++)
            uses += expression_uses(claim->readings[i].formula, name);
        char inputs[FIELD_PATH_SIZE], field[FIELD_PATH_SIZE];
        if (uses == 0)
            return field_reject(source->reader, field_member(field, field_member(inputs, path, "inputs"), name),
                                "is not used by the formula");
    }
    return 0;
}

static void judge(struct papers_claim *claim)
{
    struct claim_reading *readings = need(claim->reading_count, sizeof *readings);
    for (size_t i = 0; readings && i < claim->reading_count; i++)
        readings[i] = (struct claim_reading){claim->readings[i].recomputed, claim->readings[i].stated.printed.range};
    claim->verdict = readings ? claim_verdict_of(readings, claim->reading_count, &claim->which) : CLAIM_DIFFERS;
    free(readings);
}

static int read_text(const struct papers_source *source, const char *path, const char *member, const json_t *entry,
                     const char *otherwise, const char **text)
{
    char field[FIELD_PATH_SIZE];
    const json_t *value = json_object_get(entry, member);
    *text = value ? json_string_value(value) : otherwise;
    return *text
               ? 0
               : field_reject(source->reader, field_member(field, path, member), value ? "must be text" : "is missing");
}

static int read_row(const struct papers_source *source, const char *path, json_t *entry, const char *paper,
                    struct papers *papers)
{
    const char *id;
    struct papers_claim *claim = add_claim(papers);
    if (!claim)
        return field_out_of_memory(source->reader);
    claim->paper = paper;
    int error = read_text(source, path, "id", entry, NULL, &id);
    if (!error)
        error = read_text(source, path, "section", entry, NULL, &claim->section);
    if (!error)
        error = read_text(source, path, "says", entry, NULL, &claim->says);
    if (!error)
        error = read_text(source, path, "note", entry, "", &claim->note);
    if (!error)
        error = read_text(source, path, "because", entry, "", &claim->because);
    if (!error)
        error = read_readings(source, path, entry, claim);
    if (!error)
        error = refuse_unused(source, path, entry, claim);
    if (error)
        return error;
    const char *row = json_string_value(json_array_get(json_object_get(entry, "rows"), source->row));
    if (source->rows > 0 && !row)
        return field_reject(source->reader, path, "has rows that are not text");
    snprintf(claim->id, sizeof claim->id, source->rows > 0 ? "%s[%s]" : "%s", id, row);
    judge(claim);
    return 0;
}

static int refuse_second(const struct papers_source *source, const char *path, const struct papers *papers)
{
    const struct papers_claim *last = &papers->claims[papers->count - 1];
    for (size_t i = 0; i + 1 < papers->count; i++) {
        const struct papers_claim *former = &papers->claims[i];
        if (strcmp(former->paper, last->paper) == 0 && strcmp(former->id, last->id) == 0)
            return field_reject(source->reader, path, "is the second claim called '%s'", last->id);
    }
    return 0;
}

static int read_claim(struct papers_source *source, const char *path, json_t *entry, const char *paper,
                      struct papers *papers)
{
    static const char *const members[] = {"id",   "section",  "says", "formula", "inputs", "stated",
                                          "rows", "readings", "note", "because", NULL};
    int error = field_object(source->reader, path, entry);
    if (!error)
        error = field_known(source->reader, path, entry, members);
    source->rows = json_array_size(json_object_get(entry, "rows"));
    size_t times = source->rows ? source->rows : 1;
    for (source->row = 0; !error && source->row < times; source->row++) {
        error = read_row(source, path, entry, paper, papers);
        if (!error)
            error = refuse_second(source, path, papers);
    }
    return error;
}

/* ---- files ---- */

static int read_columns(const struct papers_source *source, const char *paper, json_t *values, struct papers *papers)
{
    const char *name;
    json_t *list;
    int error = values ? field_object(source->reader, "values", values) : 0;
    size_t count = papers->column_count + json_object_size(values);
    struct papers_column *columns = error ? NULL : realloc(papers->columns, (count + 1) * sizeof *columns);
    if (!columns)
        return error ? error : field_out_of_memory(source->reader);
    papers->columns = columns;
    json_object_foreach(values, name, list)
    {
        char path[FIELD_PATH_SIZE];
        struct papers_column *column = &papers->columns[papers->column_count++];
        *column = (struct papers_column){.paper = paper, .name = name};
        field_member(path, "values", name);
        if (!papers_is_list(list))
            return field_reject(source->reader, path, "must be a list of numbers");
        error = papers_read_list(source->reader, path, list, &column->values);
        if (error)
            return error;
    }
    return 0;
}

static int read_file(struct papers_source *source, const json_t *root, struct papers *papers)
{
    static const char *const members[] = {"kneepoint_papers", "name", "title", "values", "claims", NULL};
    const char *name, *title;
    int error = field_object(source->reader, "", root);
    if (!error)
        error = field_known(source->reader, "", root, members);
    if (!error && json_integer_value(json_object_get(root, "kneepoint_papers")) != FILE_VERSION)
        error = field_reject(source->reader, "kneepoint_papers", "must be %d", FILE_VERSION);
    if (!error)
        error = read_text(source, "", "name", root, NULL, &name);
    if (!error)
        error = read_text(source, "", "title", root, NULL, &title);
    const json_t *claims = json_object_get(root, "claims");
    if (!error && json_array_size(claims) == 0)
        error = field_reject(source->reader, "claims", "must be an array of claims");
    size_t former = papers->column_count;
    if (!error)
        error = read_columns(source, name, json_object_get(root, "values"), papers);
    source->columns = papers->columns ? papers->columns + former : NULL;
    source->column_count = papers->column_count - former;
    for (size_t i = 0; !error && i < json_array_size(claims); i++) {
        char path[FIELD_PATH_SIZE];
        snprintf(path, sizeof path, "claims[%zu]", i);
        error = read_claim(source, path, json_array_get(claims, i), name, papers);
    }
    return error;
}

int papers_add(struct papers *papers, const char *text, size_t length, const char *origin, char *why, size_t size)
{
    const struct field_reader reader = {.origin = origin, .why = why, .size = size};
    struct papers_source source = {.reader = &reader};
    json_error_t at;
    if (!papers->files)
        papers->files = json_array();
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &at);
    if (!root)
        return field_reject(&reader, "", "line %d: %s", at.line, at.text);
    if (json_array_append_new(papers->files, root) != 0)
        return field_out_of_memory(&reader);
    return read_file(&source, root, papers);
}

int papers_load(struct papers *papers, char *why, size_t size)
{
    int error = 0;
    *papers = (struct papers){0};
    for (const struct embedded_file *file = embedded_files; file->path && !error; file++) {
        if (strncmp(file->path, folder, strlen(folder)) == 0)
            error = papers_add(papers, file->bytes, file->length, file->path, why, size);
    }
    return error;
}

int papers_open(const char *name, struct papers *papers, char *why, size_t size)
{
    char path[128];
    *papers = (struct papers){0};
    snprintf(path, sizeof path, "%s%s.json", folder, name);
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        if (strcmp(file->path, path) == 0)
            return papers_add(papers, file->bytes, file->length, file->path, why, size);
    }
    snprintf(why, size, "no paper '%s'", name);
    return -ENOENT;
}

void papers_free(struct papers *papers)
{
    for (size_t i = 0; i < papers->count; i++)
        free_claim(&papers->claims[i]);
    free(papers->claims);
    for (size_t i = 0; i < papers->column_count; i++)
        free(papers->columns[i].values.of);
    free(papers->columns);
    json_decref(papers->files);
    *papers = (struct papers){0};
}

const char *papers_name(const struct papers *papers, size_t index, const char **title)
{
    const json_t *file = json_array_get(papers->files, index);
    *title = json_string_value(json_object_get(file, "title"));
    return json_string_value(json_object_get(file, "name"));
}

const struct papers_claim *papers_claim_of(const struct papers *papers, const char *paper, const char *id)
{
    for (size_t i = 0; i < papers->count; i++) {
        if (strcmp(papers->claims[i].paper, paper) == 0 && strcmp(papers->claims[i].id, id) == 0)
            return &papers->claims[i];
    }
    return NULL;
}

double papers_claim_input(const struct papers_claim *claim, const char *name)
{
    for (size_t i = 0; claim && i < claim->readings[0].input_count; i++) {
        const struct papers_input *input = &claim->readings[0].inputs[i];
        if (strcmp(input->name, name) == 0 && input->values.count)
            return input->values.of[0].printed.nominal;
    }
    return NAN;
}

double papers_column_value(const struct papers *papers, const char *paper, const char *column, size_t row)
{
    for (size_t i = 0; i < papers->column_count; i++) {
        const struct papers_column *found = &papers->columns[i];
        if (strcmp(found->paper, paper) == 0 && strcmp(found->name, column) == 0 && row < found->values.count)
            return found->values.of[row].printed.nominal;
    }
    return NAN;
}
