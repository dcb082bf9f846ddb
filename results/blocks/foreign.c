/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/blocks/foreign.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/files/input.h"
#include "results/files/need.h"
#include "results/statistics/stats.h"
#include "results/text/refuse.h"
#include "results/text/text_escape.h"

/** A file of JSON Lines as an array of its lines, each a test of llama-bench; NULL if some line is not a test. @return 0 or the error of reading */
static int read_lines(FILE *file, json_t **document)
{
    json_t *lines = json_array();
    char *line = NULL;
    size_t capacity = 0, length;
    int more = 0;
    bool valid = lines;
    while (valid && (more = input_line(file, &line, &capacity, &length)) > 0) {
        if (line[strspn(line, " \t\r\n")] == 0)
            continue;
        json_t *object = json_loads(line, 0, NULL);
        /* the records of a run are such a file as well, and a large one: its first line is enough */
        valid = json_object_get(object, "samples_ns") && json_array_append(lines, object) == 0;
        json_decref(object);
    }
    free(line);
    *document = valid && more == 0 ? lines : NULL;
    if (!*document)
        json_decref(lines);
    return more < 0 ? more : 0;
}

int foreign_document(FILE *file, json_t **document)
{
    rewind(file);
    int error = input_json_of(file, JSON_REJECT_DUPLICATES, document, NULL, 0);
    if (!*document || json_object_get(*document, "samples_ns")) {
        json_decref(*document);
        *document = NULL;
        rewind(file);
        error = error && error != -EINVAL ? error : read_lines(file, document);
    }
    if (*document && text_escape_json(*document)) {
        json_decref(*document);
        *document = NULL;
        error = -ENOMEM;
    }
    return error;
}

/** All that is known once every sample has been added. 0 or -ENOMEM */
static int conclude(struct blocks *blocks)
{
    for (size_t i = 0; i < blocks->cells; i++) {
        struct blocks_cell *cell = &blocks->cell[i];
        double *sorted = need(cell->count + 1, sizeof *sorted);
        if (!sorted)
            return -ENOMEM;
        if (cell->count)
            memcpy(sorted, cell->value, cell->count * sizeof *sorted);
        cell->timed_s = stats_median(sorted, cell->count);
        free(sorted);
        blocks->count = cell->count > blocks->count ? cell->count : blocks->count;
    }
    blocks->number = need(blocks->count + 1, sizeof *blocks->number);
    if (!blocks->number)
        return -ENOMEM;
    for (size_t i = 0; i < blocks->count; i++)
        blocks->number[i] = (unsigned)i;
    blocks_sort(blocks);
    blocks_spread(blocks);
    return 0;
}

static int take(const json_t *document, struct blocks *blocks, char *why, size_t size)
{
    *blocks = (struct blocks){.meta = json_object(), .noise = {NAN, NAN, {NAN, NAN}, {NAN, NAN}}, .layout = {NAN, NAN}};
    bool llama = foreign_is_llama_bench(document);
    snprintf(blocks->source, sizeof blocks->source, "%s", llama ? "llama-bench" : "google/benchmark");
    int error = !blocks->meta ? -ENOMEM
                : llama       ? foreign_take_llama_bench(document, blocks, why, size)
                              : foreign_take_google_benchmark(document, blocks, why, size);
    if (!error)
        error = conclude(blocks);
    if (error)
        blocks_release(blocks);
    return error;
}

int foreign_read(const char *path, struct blocks *blocks, char *why, size_t size)
{
    json_t *document = NULL;
    FILE *file;
    int error = input_open_whole(path, &file);
    if (!error) {
        error = foreign_document(file, &document);
        fclose(file);
    }
    if (error)
        return refuse(error, why, size, "cannot read %s: %s", path, input_error(error));
    if (!document || (!foreign_is_llama_bench(document) && !foreign_is_google_benchmark(document))) {
        json_decref(document);
        return -ENOTSUP;
    }
    char reason[384] = "no memory left for it";
    error = take(document, blocks, reason, sizeof reason);
    json_decref(document);
    return error ? refuse(error, why, size, "%s: %s", path, reason) : 0;
}
