/* SPDX-License-Identifier: BSD-3-Clause
 *
 * llama-bench -o json (an array) and -o jsonl (its elements, a line each). A test has what it is (model, test,
 * parameters), where it ran, and its results; `samples_ns` has the nanoseconds of each repetition.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/blocks/foreign.h"
#include "results/text/refuse.h"

/** Where and what of: facts of the file, or nothing that tells tests apart. */
static const char *const apart[] = {
    "build_commit", "build_number", "cpu_info",  "gpu_info",   "backends",   "model_filename", "model_type",
    "model_size",   "n_threads",    "n_prompt",  "n_gen",      "n_depth",    "test_time",      "avg_ns",
    "stddev_ns",    "avg_ts",       "stddev_ts", "samples_ns", "samples_ts", "model_n_params",
};

/** Parameters at their defaults stay out of the name. Any other, also one that is not in this list, is part of it. */
static const struct {
    const char *parameter, *value;
} defaults[] = {
    {"n_batch", "2048"},        {"n_ubatch", "512"},
    {"type_k", "f16"},          {"type_v", "f16"},
    {"n_gpu_layers", "99"},     {"n_gpu_layers", "-1"},
    {"split_mode", "layer"},    {"main_gpu", "0"},
    {"no_kv_offload", "false"}, {"flash_attn", "false"},
    {"flash_attn", "0"},        {"flash_attn", "-1"},
    {"tensor_split", "0.00"},   {"use_mmap", "true"},
    {"embeddings", "false"},    {"cpu_mask", "0x0"},
    {"cpu_strict", "false"},    {"poll", "50"},
    {"devices", "auto"},        {"n_cpu_moe", "0"},
    {"no_op_offload", "0"},     {"no_op_offload", "false"},
    {"no_host", "false"},       {"defrag_thold", "-1.0"},
    {"use_direct_io", "false"}, {"fit_target", "0"},
    {"fit_min_ctx", "0"},       {"tensor_buft_overrides", "none"},
    {"rpc_servers", ""},        {"cuda", "false"},
    {"metal", "false"},         {"opencl", "false"},
    {"vulkan", "false"},        {"kompute", "false"},
    {"sycl", "false"},          {"gpu_blas", "false"},
    {"blas", "false"},          {"f16_kv", "true"},
    {"mul_mat_q", "true"},
};

bool foreign_is_llama_bench(const json_t *document)
{
    return json_array_size(document) && json_object_get(json_array_get(document, 0), "samples_ns");
}

static bool tells_apart(const char *field)
{
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        if (strcmp(field, apart[i]) == 0)
            return false;
    }
    return true;
}

static bool is_default(const char *parameter, const char *value)
{
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        if (strcmp(parameter, defaults[i].parameter) == 0 && strcmp(value, defaults[i].value) == 0)
            return true;
    }
    return false;
}

/** A value as JSON has it, strings without quotes. */
static void in_words(const json_t *value, char *text, size_t size)
{
    char *dumped = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(6));
    snprintf(text, size, "%s", json_is_string(value) ? json_string_value(value) : dumped ? dumped : "");
    free(dumped);
}

static json_int_t integer(const json_t *test, const char *field)
{
    return json_integer_value(json_object_get(test, field));
}

/** "pp512", "tg128", "pp512+tg128" of one test, and " @ d4096" for the positions before it. */
static void name_test(const json_t *test, char *name, size_t size)
{
    json_int_t prompt = integer(test, "n_prompt"), generated = integer(test, "n_gen"), depth = integer(test, "n_depth");
    char first[32] = "", second[32] = "", context[32] = "";
    if (prompt > 0)
        snprintf(first, sizeof first, "pp%" JSON_INTEGER_FORMAT, prompt);
    if (generated > 0)
        snprintf(second, sizeof second, "%stg%" JSON_INTEGER_FORMAT, prompt > 0 ? "+" : "", generated);
    if (depth > 0)
        snprintf(context, sizeof context, " @ d%" JSON_INTEGER_FORMAT, depth);
    snprintf(name, size, "%s%s%s", first, second, context);
}

void foreign_llama_bench_parameters(const json_t *test, char *text, size_t size)
{
    const char *parameter;
    json_t *value;
    text[0] = '\0';
    json_object_foreach((json_t *)test, parameter, value)
    {
        char said[128];
        in_words(value, said, sizeof said);
        if (!tells_apart(parameter) || json_is_null(value) || is_default(parameter, said))
            continue;
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s=%s", length ? " " : "", parameter, said);
    }
}

static void name_cell(const json_t *test, char *name, size_t size)
{
    const char *model = json_string_value(json_object_get(test, "model_type"));
    char what[128], parameters[512];
    name_test(test, what, sizeof what);
    foreign_llama_bench_parameters(test, parameters, sizeof parameters);
    snprintf(name, size, "%s/%s/t%" JSON_INTEGER_FORMAT "%s%s", model ? model : "model", what,
             integer(test, "n_threads"), parameters[0] ? " " : "", parameters);
}

static int take_test(const json_t *test, size_t number, struct blocks *blocks, char *why, size_t size)
{
    const json_t *samples = json_object_get(test, "samples_ns");
    char name[768];
    if (!json_array_size(samples))
        return refuse(-EINVAL, why, size, "test %zu has no samples_ns; llama-bench writes them with -o json and jsonl",
                      number + 1);
    name_cell(test, name, sizeof name);
    int error = 0;
    for (size_t i = 0; !error && i < json_array_size(samples); i++) {
        const json_t *sample = json_array_get(samples, i);
        if (!json_is_number(sample))
            return refuse(-EINVAL, why, size, "samples_ns[%zu] of test %zu is no number", i, number + 1);
        error = foreign_add(blocks, name, 1e-9 * json_number_value(sample));
    }
    return error;
}

static void keep_fact(json_t *facts, const char *name, const json_t *test, const char *field)
{
    const json_t *value = json_object_get(test, field);
    if (json_is_string(value) && json_string_value(value)[0])
        json_object_set(facts, name, (json_t *)value);
}

int foreign_take_llama_bench(const json_t *document, struct blocks *blocks, char *why, size_t size)
{
    int error = 0;
    for (size_t i = 0; !error && i < json_array_size(document); i++)
        error = take_test(json_array_get(document, i), i, blocks, why, size);
    const json_t *first = json_array_get(document, 0);
    json_t *cpu = json_object();
    keep_fact(cpu, "name", first, "cpu_info");
    keep_fact(cpu, "backends", first, "backends");
    keep_fact(cpu, "gpu", first, "gpu_info");
    json_object_set_new(blocks->meta, "cpu", cpu);
    keep_fact(blocks->meta, "revision", first, "build_commit");
    return error;
}
