/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table that llama-bench prints without -o, in Markdown, between whatever else a script prints: bitnet.cpp's e2e_benchmark.py and
 * T-MAC's run_pipeline.py show it as it is.
 *
 *     | model                 |       size |     params | backend    | threads |          test |              t/s |
 *     | --------------------- | ---------: | ---------: | ---------- | ------: | ------------: | ---------------: |
 *     | llama 1B Q4_0         | 729.75 MiB |     1.24 B | CPU        |       2 |          tg32 |     25.60 ± 0.13 |
 *
 * The mean of the repetitions and their standard deviation; it does not say how many there were. Columns are found by their headings. Lines
 * that are no result are left out.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/engines/engine_format.h"
#include "results/text/refuse.h"

enum {
    COLUMNS = 48,
    ROW = 4096,
    USUAL_LAYERS = 99 /* on a GPU, if there is one and no column says another number */
};

struct row {
    char text[ROW], *cell[COLUMNS];
    size_t count;
};

struct table {
    struct row headings, row;
    struct engine_results *results;
    char *why;
    size_t size;
};

/** Cut a line at its bars; of a line that is no row there are no cells. */
static void cut(const char *line, struct row *row)
{
    row->count = 0;
    if (*line != '|')
        return;
    snprintf(row->text, sizeof row->text, "%s", line + 1);
    char *rest = row->text;
    for (char *cell = strsep(&rest, "|"); cell && rest && row->count < COLUMNS; cell = strsep(&rest, "|"))
        row->cell[row->count++] = engine_trimmed(cell);
}

static const char *under(const struct table *table, const char *heading)
{
    for (size_t i = 0; i < table->headings.count && i < table->row.count; i++) {
        if (strcmp(table->headings.cell[i], heading) == 0)
            return table->row.cell[i];
    }
    return "";
}

/** "pp512", "tg32", "pp512+tg32", each with " @ d4096". */
static void read_test(const char *text, struct engine_result *result)
{
    const char *prompt = strstr(text, "pp"), *generated = strstr(text, "tg"), *depth = strstr(text, "@ d");
    result->prompt = prompt ? strtoul(prompt + 2, NULL, 10) : 0;
    result->generated = generated ? strtoul(generated + 2, NULL, 10) : 0;
    result->depth = depth ? strtoul(depth + 3, NULL, 10) : 0;
    snprintf(result->test, sizeof result->test, "%s", text);
}

/** "25.60 ± 0.13". */
static void read_rate(const char *text, struct engine_result *result)
{
    const char *sign = strstr(text, "±");
    result->tokens_per_s = strtod(text, NULL);
    engine_result_deviation(result, sign ? strtod(sign + strlen("±"), NULL) : 0);
}

/** All other columns but those of a result itself, as settings. */
static void read_settings(const struct table *table, struct engine_result *result)
{
    static const char *const others[] = {"model", "size", "params", "backend", "threads", "test", "t/s", "ngl"};
    for (size_t i = 0; i < table->row.count; i++) {
        const char *heading = table->headings.cell[i];
        bool other = false;
        for (size_t o = 0; o < sizeof others / sizeof *others; o++)
            other = other || strcmp(heading, others[o]) == 0;
        size_t length = strlen(result->settings);
        if (!other)
            snprintf(result->settings + length, sizeof result->settings - length, "%s%s=%s", length ? " " : "", heading,
                     table->row.cell[i]);
    }
    for (const struct engine_parameter *parameter = engine_parameters; parameter->option; parameter++)
        engine_result_set(result, parameter, under(table, parameter->heading));
}

static int take_row(const struct table *table)
{
    const char *layers = under(table, "ngl");
    struct engine_result *result = engine_results_add(table->results);
    if (!result)
        return refuse(-ENOMEM, table->why, table->size, "no memory");
    read_test(under(table, "test"), result);
    read_rate(under(table, "t/s"), result);
    if (!engine_result_is_whole(result))
        return refuse(-EINVAL, table->why, table->size, "row %zu of its table has no test or no tokens a second",
                      table->results->count);
    snprintf(result->model_type, sizeof result->model_type, "%s", under(table, "model"));
    result->model_bytes = engine_number_with_unit(under(table, "size"));
    result->model_weights = engine_number_with_unit(under(table, "params"));
    result->model_within = ENGINE_UNIT_WITHIN;
    result->threads = (unsigned)strtoul(under(table, "threads"), NULL, 10);
    result->gpu_layers = *layers ? strtol(layers, NULL, 10) : USUAL_LAYERS;
    if (result->gpu_layers)
        engine_result_backends(result, under(table, "backend"));
    read_settings(table, result);
    return 0;
}

static bool has(const struct row *row, const char *text)
{
    for (size_t i = 0; i < row->count; i++) {
        if (strcmp(row->cell[i], text) == 0)
            return true;
    }
    return false;
}

static int take_line(void *context, char *line)
{
    struct table *table = context;
    struct row *row = &table->row;
    cut(line, row);
    if (has(row, "test") && has(row, "t/s")) {
        cut(line, &table->headings);
        return 0;
    }
    bool is_result = table->headings.count && row->count == table->headings.count && row->cell[0][0] != '-' &&
                     row->cell[0][0] != ':';
    return is_result ? take_row(table) : 0;
}

static int read_table(FILE *file, const json_t *document, struct engine_results *results, char *why, size_t size)
{
    struct table table = {.results = results, .why = why, .size = size};
    return document ? 0 : engine_lines(file, take_line, &table, why, size);
}

const struct engine_format engine_format_llama_table = {"llama-bench", read_table};
