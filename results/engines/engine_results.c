/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/engines/engine_results.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/blocks/foreign.h"
#include "results/blocks/foreign_cells.h"
#include "results/engines/engine_table.h"
#include "results/files/need.h"
#include "results/records/record.h"
#include "results/statistics/stats.h"
#include "results/text/refuse.h"
#include "results/text/text_escape.h"

struct engine_result *engine_results_add(struct engine_results *results)
{
    struct engine_result *grown = realloc(results->result, (results->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    results->result = grown;
    struct engine_result *result = &grown[results->count++];
    *result = (struct engine_result){
        .model_bytes = NAN, .model_weights = NAN, .tokens_per_s = NAN, .least = NAN, .most = NAN};
    return result;
}

void engine_results_release(struct engine_results *results)
{
    free(results->result);
    *results = (struct engine_results){NULL, 0};
}

bool engine_result_is_prompt(const struct engine_result *result)
{
    return result->prompt && !result->generated;
}

bool engine_result_is_token(const struct engine_result *result)
{
    return result->generated && !result->prompt;
}

size_t engine_result_context(const struct engine_result *result)
{
    return result->depth + (engine_result_is_prompt(result) ? result->prompt : (result->generated + 1) / 2);
}

bool engine_result_is_whole(const struct engine_result *result)
{
    static const size_t MOST = 1000000000;
    return result->test[0] && (result->prompt || result->generated) && result->prompt <= MOST &&
           result->generated <= MOST && result->depth <= MOST && result->tokens_per_s > 0 &&
           isfinite(result->tokens_per_s);
}

/** Texts that can be printed and saved, whatever the file has. */
static void settle(struct engine_result *result)
{
    const struct {
        char *text;
        size_t size;
    } texts[] = {{result->test, sizeof result->test},
                 {result->options, sizeof result->options},
                 {result->settings, sizeof result->settings},
                 {result->cpu, sizeof result->cpu},
                 {result->model_type, sizeof result->model_type},
                 {result->commit, sizeof result->commit},
                 {result->gpu, sizeof result->gpu}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char escaped[sizeof result->settings];
        text_utf8(text_escape(texts[i].text, escaped, texts[i].size));
        memcpy(texts[i].text, escaped, texts[i].size);
    }
    result->model_bytes = result->model_bytes > 0 ? result->model_bytes : NAN;
    result->model_weights = result->model_weights > 0 ? result->model_weights : NAN;
}

/* ---- llama-bench -o json ---- */

static void add_option(struct engine_result *result, const char *option, const char *value)
{
    size_t length = strlen(result->options);
    snprintf(result->options + length, sizeof result->options - length, "%s%s %s", length ? " " : "", option, value);
}

static void copy_text(char *to, size_t size, const json_t *test, const char *field)
{
    snprintf(to, size, "%s", record_text(test, field));
}

/** Whether a parameter is on: true, or a number that is not 0. */
static bool is_on(const json_t *test, const char *field)
{
    const json_t *value = json_object_get(test, field);
    return json_is_true(value) || (json_is_number(value) && json_number_value(value) != 0);
}

/** The first of the back ends that is none of a CPU. Builds of before say of each whether it is there. */
static void find_gpu(const json_t *test, char *gpu, size_t size)
{
    static const char *const flags[] = {"cuda", "hip", "metal", "vulkan", "kompute", "sycl", "opencl", "gpu_blas"};
    char backends[128];
    copy_text(backends, sizeof backends, test, "backends");
    for (char *rest, *name = strtok_r(backends, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
        if (!gpu[0] && strcmp(name, "CPU") != 0 && strcmp(name, "BLAS") != 0)
            snprintf(gpu, size, "%s", name);
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (!gpu[0] && is_on(test, flags[i]))
            snprintf(gpu, size, "%s", flags[i]);
    }
}

/** The repetitions that have a time. @return 0, -EINVAL, -ENOMEM */
static int take_samples(const json_t *samples, struct engine_result *result)
{
    double tokens = (double)(result->prompt + result->generated);
    double *rates = need(json_array_size(samples) + 1, sizeof *rates);
    size_t count = 0;
    for (size_t i = 0; rates && i < json_array_size(samples); i++) {
        double rate = 1e9 * tokens / json_number_value(json_array_get(samples, i));
        if (rate > 0 && isfinite(rate))
            rates[count++] = rate;
    }
    struct summary summary;
    int error = !rates ? -ENOMEM : stats_summarize(rates, count, &summary);
    free(rates);
    if (error)
        return error;
    result->repetitions = count;
    result->tokens_per_s = summary.median;
    if (count > 1) {
        result->least = summary.min;
        result->most = summary.max;
    }
    return 0;
}

static size_t tokens_of(const json_t *test, const char *field)
{
    double value = record_number_or_nan(test, field);
    return value > 0 ? (size_t)fmin(value, 0x1p62) : 0;
}

/** Flash attention is a number in some versions, of which -1 leaves it to the engine. */
static void take_options(const json_t *test, struct engine_result *result)
{
    static const struct {
        const char *field, *option, *usual;
    } texts[] = {{"type_k", "-ctk", "f16"}, {"type_v", "-ctv", "f16"}};
    static const struct {
        const char *field, *option;
        double usual;
    } numbers[] = {{"n_batch", "-b", 2048}, {"n_ubatch", "-ub", 512}};
    result->repacked = is_on(test, "repack");
    if (result->repacked)
        add_option(result, "-rtr", "1");
    if (is_on(test, "flash_attn") && record_number(test, "flash_attn") >= 0)
        add_option(result, "-fa", "1");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *value = record_text(test, texts[i].field);
        if (value[0] && strcmp(value, texts[i].usual) != 0)
            add_option(result, texts[i].option, value);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char value[24];
        double number = record_number_or_nan(test, numbers[i].field);
        snprintf(value, sizeof value, "%.0f", number);
        if (number > 0 && number != numbers[i].usual)
            add_option(result, numbers[i].option, value);
    }
}

static int take_test(const json_t *test, struct engine_results *results)
{
    struct engine_result *result = engine_results_add(results);
    if (!result)
        return -ENOMEM;
    copy_text(result->cpu, sizeof result->cpu, test, "cpu_info");
    copy_text(result->model_type, sizeof result->model_type, test, "model_type");
    copy_text(result->commit, sizeof result->commit, test, "build_commit");
    /* ik_llama.cpp has parameters of its own */
    snprintf(result->engine, sizeof result->engine, "%s", json_object_get(test, "mla_attn") ? "ik_llama" : "ggml");
    foreign_llama_bench_test(test, result->test, sizeof result->test);
    foreign_llama_bench_parameters(test, result->settings, sizeof result->settings);
    result->model_bytes = record_number_or_nan(test, "model_size");
    result->model_weights = record_number_or_nan(test, "model_n_params");
    result->model_within = 1e-3; /* bytes between tensors are counted by some */
    result->prompt = tokens_of(test, "n_prompt");
    result->generated = tokens_of(test, "n_gen");
    result->depth = tokens_of(test, "n_depth");
    result->threads = record_count(test, "n_threads");
    take_options(test, result);
    if (is_on(test, "n_gpu_layers"))
        find_gpu(test, result->gpu, sizeof result->gpu);
    result->gpu_layers = (long)record_number(test, "n_gpu_layers");
    return take_samples(json_object_get(test, "samples_ns"), result);
}

static int take_all(const json_t *document, struct engine_results *results, char *why, size_t size)
{
    for (size_t i = 0; i < json_array_size(document); i++) {
        int error = take_test(json_array_get(document, i), results);
        const struct engine_result *result = &results->result[results->count - 1];
        if (error == -ENOMEM)
            return refuse(error, why, size, "no memory");
        if (error || !engine_result_is_whole(result))
            return refuse(-EINVAL, why, size, "test %zu has no tokens, or no samples_ns with a time", i + 1);
    }
    return 0;
}

int engine_results_read(const char *path, struct engine_results *results, char *why, size_t size)
{
    char reason[256] = "";
    json_t *document = NULL;
    *results = (struct engine_results){NULL, 0};
    int error = foreign_load(path, &document, why, size);
    if (error)
        return error;
    if (document && foreign_is_llama_bench(document))
        error = take_all(document, results, reason, sizeof reason);
    else
        error = engine_table_read(path, results, reason, sizeof reason);
    json_decref(document);
    if (!error && !results->count)
        error =
            refuse(-EINVAL, reason, sizeof reason,
                   "it is empty, cut off, or no output of llama-bench; make it with llama-bench -o json, to its end");
    for (size_t i = 0; i < results->count; i++)
        settle(&results->result[i]);
    if (error)
        engine_results_release(results);
    return error ? refuse(error, why, size, "%s: %s", path, reason) : 0;
}
