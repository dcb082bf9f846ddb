/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/engines/engine_table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/files/input.h"
#include "results/text/refuse.h"

enum { COLUMNS = 48 };

/** Half of the last digit of a number that is shown with three: "1.01 GiB". */
static const double WITHIN = 0.006;

struct row {
    char *cell[COLUMNS];
    size_t count;
};

static char *trimmed(char *text)
{
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length && strchr(" \t\r\n", text[length - 1]))
        text[--length] = '\0';
    return text;
}

/** Cut a line at its bars; of a line that is no row there are no cells. */
static struct row cut(char *line)
{
    struct row row = {.count = 0};
    char *rest = trimmed(line);
    if (*rest != '|')
        return row;
    rest++;
    for (char *cell = strsep(&rest, "|"); cell && rest && row.count < COLUMNS; cell = strsep(&rest, "|"))
        row.cell[row.count++] = trimmed(cell);
    return row;
}

static const char *under(const struct row *headings, const struct row *row, const char *heading)
{
    for (size_t i = 0; i < headings->count && i < row->count; i++) {
        if (strcmp(headings->cell[i], heading) == 0)
            return row->cell[i];
    }
    return "";
}

/** "729.75 MiB", "1.24 B": NaN if it is no such number. */
static double number_with_unit(const char *text)
{
    static const struct {
        const char *unit;
        double scale;
    } units[] = {{"MiB", 0x1p20}, {"GiB", 0x1p30}, {"KiB", 0x1p10}, {"TiB", 0x1p40},
                 {"M", 1e6},      {"B", 1e9},      {"T", 1e12}};
    char *end;
    double number = strtod(text, &end);
    for (size_t i = 0; end != text && i < sizeof units / sizeof *units; i++) {
        if (strcmp(end + strspn(end, " "), units[i].unit) == 0)
            return number * units[i].scale;
    }
    return NAN;
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
    char *end;
    result->tokens_per_s = strtod(text, &end);
    const char *sign = strstr(end, "±");
    double deviation = sign ? strtod(sign + strlen("±"), NULL) : 0;
    if (deviation > 0 && isfinite(deviation)) {
        result->least = fmax(0, result->tokens_per_s - deviation);
        result->most = result->tokens_per_s + deviation;
    }
}

/** All other columns but those of a result itself, as settings. */
static void read_settings(const struct row *headings, const struct row *row, struct engine_result *result)
{
    static const char *const others[] = {"model", "size", "params", "backend", "threads", "test", "t/s", "ngl"};
    for (size_t i = 0; i < headings->count && i < row->count; i++) {
        bool other = false;
        for (size_t o = 0; o < sizeof others / sizeof *others; o++)
            other = other || strcmp(headings->cell[i], others[o]) == 0;
        size_t length = strlen(result->settings);
        if (!other)
            snprintf(result->settings + length, sizeof result->settings - length, "%s%s=%s", length ? " " : "",
                     headings->cell[i], row->cell[i]);
    }
    result->repacked = strcmp(under(headings, row, "rtr"), "1") == 0;
    snprintf(result->options, sizeof result->options, "%s", result->repacked ? "-rtr 1" : "");
}

static int take_row(const struct row *headings, const struct row *row, struct engine_results *results, char *why,
                    size_t size)
{
    const char *backend = under(headings, row, "backend");
    struct engine_result *result = engine_results_add(results);
    if (!result)
        return refuse(-ENOMEM, why, size, "no memory");
    read_test(under(headings, row, "test"), result);
    read_rate(under(headings, row, "t/s"), result);
    if (!engine_result_is_whole(result))
        return refuse(-EINVAL, why, size, "row %zu of its table has no test or no tokens a second", results->count);
    snprintf(result->model_type, sizeof result->model_type, "%s", under(headings, row, "model"));
    result->model_bytes = number_with_unit(under(headings, row, "size"));
    result->model_weights = number_with_unit(under(headings, row, "params"));
    result->model_within = WITHIN;
    result->threads = (unsigned)strtoul(under(headings, row, "threads"), NULL, 10);
    result->gpu_layers = strtol(under(headings, row, "ngl"), NULL, 10);
    if (result->gpu_layers && strcmp(backend, "CPU") != 0 && strcmp(backend, "BLAS") != 0)
        snprintf(result->gpu, sizeof result->gpu, "%s", backend);
    read_settings(headings, row, result);
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

/** The line that has the headings outlives the rows, which point into their own. */
static int read_rows(FILE *file, struct engine_results *results, char *why, size_t size)
{
    char *line = NULL, *heading = NULL;
    size_t capacity = 0, length;
    struct row headings = {.count = 0};
    int error = 0;
    while (!error && (error = input_line(file, &line, &capacity, &length)) > 0) {
        struct row row = cut(line);
        error = 0;
        if (has(&row, "test") && has(&row, "t/s")) {
            free(heading);
            heading = line;
            headings = row;
            line = NULL;
            capacity = 0;
        } else if (headings.count && row.count == headings.count && row.cell[0][0] != '-' && row.cell[0][0] != ':') {
            error = take_row(&headings, &row, results, why, size);
        }
    }
    free(line);
    free(heading);
    return error < 0 && !why[0] ? refuse(error, why, size, "%s", input_error(error)) : error;
}

int engine_table_read(const char *path, struct engine_results *results, char *why, size_t size)
{
    FILE *file;
    why[0] = '\0';
    int error = input_open(path, &file);
    if (error)
        return refuse(error, why, size, "%s", input_error(error));
    error = read_rows(file, results, why, size);
    fclose(file);
    return error;
}
