/* SPDX-License-Identifier: BSD-3-Clause
 *
 * llama-bench -o json and -o jsonl, of llama.cpp and of engines that come of it.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/blocks/foreign.h"
#include "results/engines/engine_format.h"
#include "results/files/need.h"
#include "results/records/record.h"
#include "results/statistics/stats.h"
#include "results/text/refuse.h"

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

/** Builds of before say of each back end whether it is there. */
static void find_gpu(const json_t *test, struct engine_result *result)
{
    static const char *const flags[] = {"cuda", "hip", "metal", "vulkan", "kompute", "sycl", "opencl", "gpu_blas"};
    engine_result_backends(result, record_text(test, "backends"));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (!result->gpu[0] && is_on(test, flags[i]))
            snprintf(result->gpu, sizeof result->gpu, "%s", flags[i]);
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

/** "1" for true, a number, or a text; "" where it is not said. */
static void value_of(const json_t *test, const char *field, char *text, size_t size)
{
    const json_t *value = json_object_get(test, field);
    if (json_is_boolean(value) || json_is_number(value))
        snprintf(text, size, "%.0f", json_is_number(value) ? json_number_value(value) : json_is_true(value));
    else
        copy_text(text, size, test, field);
}

static void take_options(const json_t *test, struct engine_result *result)
{
    char value[32];
    for (const struct engine_parameter *parameter = engine_parameters; parameter->option; parameter++) {
        value_of(test, parameter->field, value, sizeof value);
        engine_result_set(result, parameter, value);
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
    foreign_llama_bench_parameters(test, result->settings, sizeof result->settings);
    result->model_bytes = record_number_or_nan(test, "model_size");
    result->model_weights = record_number_or_nan(test, "model_n_params");
    result->model_within = 1e-3; /* bytes between tensors are counted by some */
    result->prompt = tokens_of(test, "n_prompt");
    result->generated = tokens_of(test, "n_gen");
    result->depth = tokens_of(test, "n_depth");
    engine_result_name(result);
    result->threads = record_count(test, "n_threads");
    take_options(test, result);
    if (is_on(test, "n_gpu_layers"))
        find_gpu(test, result);
    result->gpu_layers = (long)record_number(test, "n_gpu_layers");
    return take_samples(json_object_get(test, "samples_ns"), result);
}

static int read_document(FILE *file, const json_t *document, struct engine_results *results, char *why, size_t size)
{
    (void)file;
    for (size_t i = 0; foreign_is_llama_bench(document) && i < json_array_size(document); i++) {
        int error = take_test(json_array_get(document, i), results);
        const struct engine_result *result = &results->result[results->count - 1];
        if (error == -ENOMEM)
            return refuse(error, why, size, "no memory");
        if (error || !engine_result_is_whole(result))
            return refuse(-EINVAL, why, size, "test %zu has no tokens, or no samples_ns with a time", i + 1);
    }
    return 0;
}

const struct engine_format engine_format_llama_bench = {"llama-bench -o json", read_document};
