/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What llama.cpp's programs say as they end, with what they say of the model as they load it: T-MAC's run_pipeline.py keeps it in a log.
 *
 *     print_info: file size   = 729.75 MiB (4.95 BPW)
 *     print_info: model params     = 1.24 B
 *     load_tensors: offloaded 0/17 layers to GPU
 *     system_info: n_threads = 4 (n_threads_batch = 8) / 16 | …
 *     llama_perf_context_print: prompt eval time =     104.45 ms /    29 tokens (    3.60 ms per token,   277.65 tokens per second)
 *     llama_perf_context_print:        eval time =    5015.19 ms /   127 runs   (   39.49 ms per token,    25.32 tokens per second)
 *
 * A prompt, and tokens after it, each measured once. What took no time was not run.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/engines/engine_format.h"

struct log {
    struct engine_result model; /* what is said of it before a result */
    unsigned batch_threads;
    size_t before; /* tokens of the prompt */
    struct engine_results *results;
};

/** The number after the last of these words; 0: they are not there. */
static unsigned number_after(const char *line, const char *words)
{
    const char *at = strstr(line, words);
    return at ? (unsigned)strtoul(at + strlen(words), NULL, 10) : 0;
}

/** What follows "NAME = " where the line has that name. NULL: it does not. */
static const char *value_of(const char *line, const char *name)
{
    const char *at = strstr(line, name);
    at = at ? at + strlen(name) : NULL;
    at = at ? at + strspn(at, " ") : NULL;
    return at && *at == '=' ? at + 1 + strspn(at + 1, " ") : NULL;
}

static void take_model(struct log *log, const char *line)
{
    const char *bytes = value_of(line, "model size"), *weights = value_of(line, "model params"),
               *name = value_of(line, "general.architecture str");
    const unsigned threads = number_after(line, "n_threads = "), layers = number_after(line, "offloaded ");
    bytes = bytes ? bytes : value_of(line, "file size");
    if (bytes)
        log->model.model_bytes = engine_number_with_unit(bytes);
    if (weights)
        log->model.model_weights = engine_number_with_unit(weights);
    if (name)
        snprintf(log->model.model_type, sizeof log->model.model_type, "%s", name);
    if (threads) {
        log->model.threads = threads;
        log->batch_threads = number_after(line, "n_threads_batch = ");
    }
    if (layers && strstr(line, "layers to GPU")) {
        log->model.gpu_layers = layers;
        snprintf(log->model.gpu, sizeof log->model.gpu, "GPU");
    }
}

/** "5015.19 ms / 127 runs". @return 0 or -ENOMEM */
static int take_time(struct log *log, const char *text, bool prompt)
{
    char *end;
    const double ms = strtod(text, &end);
    const char *count = strstr(end, "ms /");
    const size_t tokens = count ? strtoul(count + strlen("ms /"), NULL, 10) : 0;
    struct engine_result result = log->model;
    if (prompt)
        log->before = tokens;
    if (!tokens || !(ms > 0))
        return 0;
    *(prompt ? &result.prompt : &result.generated) = tokens;
    result.depth = prompt ? 0 : log->before;
    result.threads = prompt && log->batch_threads ? log->batch_threads : log->model.threads;
    result.tokens_per_s = 1e3 * (double)tokens / ms;
    result.repetitions = 1;
    engine_result_name(&result);
    if (!engine_result_is_whole(&result))
        return 0;
    struct engine_result *added = engine_results_add(log->results);
    if (added)
        *added = result;
    return added ? 0 : -ENOMEM;
}

static int take_line(void *context, char *line)
{
    struct log *log = context;
    const char *prompt = value_of(line, "prompt eval time"), *token = value_of(line, "eval time");
    if (token)
        return take_time(log, token, prompt != NULL);
    take_model(log, line);
    return 0;
}

static int read_log(FILE *file, const json_t *document, struct engine_results *results, char *why, size_t size)
{
    struct log log = {.model = engine_result_unknown, .results = results};
    log.model.model_within = ENGINE_UNIT_WITHIN;
    return document ? 0 : engine_lines(file, take_line, &log, why, size);
}

const struct engine_format engine_format_llama_timings = {"llama-cli", read_log};
