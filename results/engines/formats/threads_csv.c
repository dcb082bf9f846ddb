/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The file that T-MAC's bench_e2e.py writes, of tokens one after the other:
 *
 *     num_threads,mean,std
 *     1,10.52,0.03
 *
 * It does not say how many tokens, so neither how many positions one attends to.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/engines/engine_format.h"
#include "results/text/refuse.h"

struct rows {
    bool begun;
    struct engine_results *results;
    char *why;
    size_t size;
};

static int take_line(void *context, char *line)
{
    struct rows *rows = context;
    unsigned threads;
    double mean, deviation;
    if (!rows->begun || !*line) {
        rows->begun = rows->begun || strcmp(line, "num_threads,mean,std") == 0;
        return 0;
    }
    struct engine_result *result = engine_results_add(rows->results);
    if (!result)
        return -ENOMEM;
    if (sscanf(line, "%u,%lf,%lf", &threads, &mean, &deviation) == 3) {
        result->threads = threads;
        result->generated = 1;
        result->no_context = true;
        result->tokens_per_s = mean;
        snprintf(result->test, sizeof result->test, "tg");
        engine_result_deviation(result, deviation);
    }
    return engine_result_is_whole(result)
               ? 0
               : refuse(-EINVAL, rows->why, rows->size, "row %zu has no threads, mean and std", rows->results->count);
}

static int read_rows(FILE *file, const json_t *document, struct engine_results *results, char *why, size_t size)
{
    struct rows rows = {.results = results, .why = why, .size = size};
    return document ? 0 : engine_lines(file, take_line, &rows, why, size);
}

const struct engine_format engine_format_threads_csv = {"T-MAC's bench_e2e.py", read_rows};
