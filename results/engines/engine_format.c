/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/engines/engine_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/files/input.h"
#include "results/text/refuse.h"
#include "results/text/text_escape.h"

enum { LINE = 4096 };

const struct engine_result engine_result_unknown = {
    .model_bytes = NAN, .model_weights = NAN, .tokens_per_s = NAN, .least = NAN, .most = NAN};

struct engine_result *engine_results_add(struct engine_results *results)
{
    struct engine_result *grown = realloc(results->result, (results->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    results->result = grown;
    struct engine_result *result = &grown[results->count++];
    *result = engine_result_unknown;
    return result;
}

bool engine_result_is_whole(const struct engine_result *result)
{
    static const size_t MOST = 1000000000;
    return result->test[0] && (result->prompt || result->generated) && result->prompt <= MOST &&
           result->generated <= MOST && result->depth <= MOST && result->tokens_per_s > 0 &&
           isfinite(result->tokens_per_s);
}

void engine_result_name(struct engine_result *result)
{
    size_t length = 0;
    const size_t size = sizeof result->test;
    if (result->prompt)
        length = (size_t)snprintf(result->test, size, "pp%zu", result->prompt);
    if (result->generated)
        length +=
            (size_t)snprintf(result->test + length, size - length, "%stg%zu", length ? "+" : "", result->generated);
    if (result->depth)
        snprintf(result->test + length, size - length, " @ d%zu", result->depth);
}

void engine_result_deviation(struct engine_result *result, double deviation)
{
    if (!(deviation > 0) || isinf(deviation))
        return;
    result->least = fmax(0, result->tokens_per_s - deviation);
    result->most = result->tokens_per_s + deviation;
}

void engine_result_backends(struct engine_result *result, const char *backends)
{
    static const char *const of_cpus[] = {"CPU", "BLAS", "ZenDNN"};
    char text[128];
    snprintf(text, sizeof text, "%s", backends);
    for (char *rest, *name = strtok_r(text, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
        bool of_cpu = false;
        for (size_t i = 0; i < sizeof of_cpus / sizeof *of_cpus; i++)
            of_cpu = of_cpu || strcmp(name, of_cpus[i]) == 0;
        if (!of_cpu && !result->gpu[0])
            snprintf(result->gpu, sizeof result->gpu, "%s", name);
    }
}

const struct engine_parameter engine_parameters[] = {
    {"repack", "rtr", "-rtr", "0"},
    {"flash_attn", "fa", "-fa", "0"},
    {"type_k", "type_k", "-ctk", "f16"},
    {"type_v", "type_v", "-ctv", "f16"},
    {"n_batch", "n_batch", "-b", "2048"},
    {"n_ubatch", "n_ubatch", "-ub", "512"},
    {NULL, NULL, NULL, NULL},
};

void engine_result_set(struct engine_result *result, const struct engine_parameter *parameter, const char *value)
{
    const size_t length = strlen(result->options);
    if (strcmp(parameter->option, "-ctk") == 0)
        snprintf(result->type_k, sizeof result->type_k, "%s", value);
    if (strcmp(parameter->option, "-ctv") == 0)
        snprintf(result->type_v, sizeof result->type_v, "%s", value);
    /* flash attention of -1 is the engine's choice */
    if (!value[0] || strcmp(value, parameter->usual) == 0 || strcmp(value, "-1") == 0)
        return;
    result->repacked = result->repacked || strcmp(parameter->option, "-rtr") == 0;
    snprintf(result->options + length, sizeof result->options - length, "%s%s %s", length ? " " : "", parameter->option,
             value);
}

char *engine_trimmed(char *text)
{
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length && strchr(" \t\r\n", text[length - 1]))
        text[--length] = '\0';
    return text;
}

int engine_lines(FILE *file, int (*take)(void *context, char *line), void *context, char *why, size_t size)
{
    char *line = NULL, shown[LINE];
    size_t capacity = 0, length;
    int error = 0, more = 0;
    why[0] = '\0';
    rewind(file);
    while (!error && (more = input_line(file, &line, &capacity, &length)) > 0)
        error = take(context, text_escape(engine_trimmed(line), shown, sizeof shown));
    error = more < 0 ? more : error;
    free(line);
    return error && !why[0] ? refuse(error, why, size, "%s", input_error(error)) : error;
}

double engine_number_with_unit(const char *text)
{
    static const struct {
        const char *unit;
        double scale;
    } units[] = {{"MiB", 0x1p20}, {"GiB", 0x1p30}, {"KiB", 0x1p10}, {"TiB", 0x1p40},
                 {"M", 1e6},      {"B", 1e9},      {"T", 1e12}};
    char *end;
    double number = strtod(text, &end);
    end += strspn(end, " ");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t length = strlen(units[i].unit);
        if (strncmp(end, units[i].unit, length) == 0 && (!end[length] || end[length] == ' '))
            return number * units[i].scale;
    }
    return NAN;
}
