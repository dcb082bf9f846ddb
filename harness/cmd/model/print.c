/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/model/model_command.h"
#include "results/records/record.h"
#include "results/text/text_escape.h"
#include "results/text/words.h"

#define MIB (1024.0 * 1024.0)

static const double gib = 1024 * MIB;

/* ---- the file ---- */

static void add_fact(char *text, size_t size, const char *before, uint64_t number, const char *what)
{
    size_t used = strlen(text);
    if (number)
        snprintf(text + used, size - used, "%s%" PRIu64 " %s", before, number, what);
}

static void print_facts(const struct model_view *view)
{
    const struct model_facts *facts = &view->facts;
    char text[512];
    int used =
        snprintf(text, sizeof text, "  %zu tensors, %.4g weights", view->file.tensor_count, view->census.weights);
    if (view->census.weights > 0)
        snprintf(text + used, sizeof text - (size_t)used, " of %.2f bits",
                 8 * view->census.bytes / view->census.weights);
    add_fact(text, sizeof text, ", ", facts->layers, "layers");
    add_fact(text, sizeof text, ", embedding of ", facts->embedding, "numbers");
    add_fact(text, sizeof text, ", ", facts->heads, "heads");
    add_fact(text, sizeof text, ", ", facts->kv_heads, "key-value heads");
    add_fact(text, sizeof text, ", context of up to ", facts->context, "positions");
    used = (int)strlen(text);
    if (facts->experts)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         ", %" PRIu64 " experts of which a token uses %" PRIu64, facts->experts, facts->experts_used);
    snprintf(text + used, sizeof text - (size_t)used, "\n");
    console_print_text(text);
}

static void print_heading(const struct model_view *view)
{
    const struct model_facts *facts = &view->facts;
    char name[256], architecture[128], path[4352];
    model_text(facts->name, name, sizeof name);
    model_text(facts->architecture, architecture, sizeof architecture);
    if (view->type)
        printf("%s%s%s, as in GGUF files of that kind: %.2f GiB\n", console_bold(), name, console_plain(),
               (double)view->file.bytes / gib);
    else
        printf("%s%s%s (%s), GGUF version %" PRIu32 ", %.2f GiB in %zu file%s: %s\n", console_bold(),
               *name ? name : "a model without a name", console_plain(),
               *architecture ? architecture : "no architecture", view->file.shards[0].gguf.version,
               (double)view->file.bytes / gib, view->file.shard_count, view->file.shard_count == 1 ? "" : "s",
               text_escape(view->path, path, sizeof path));
    print_facts(view);
}

/** The sequences and instruction sets that take it here; the format is the type's. */
static const char *kernels_text(const json_t *record, char *text, size_t size)
{
    const json_t *kernels = json_object_get(record, "kernels");
    text[0] = '\0';
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const char *name = json_string_value(json_array_get(kernels, i)), *sequence = strchr(name, '.');
        words_add(text, size, "%s", sequence ? sequence + 1 : name);
    }
    if (!text[0])
        snprintf(text, size, "%s", json_is_true(json_object_get(record, "known")) ? "none" : "none: unknown type");
    return text;
}

static const struct table_column type_columns[] = {
    {"type", "name", .left = true},
    {"tensors", "tensors", .rank = 3},
    {"weights", "weights", TABLE_NUMBER, .digits = -1, .rank = 2},
    {"MiB", "bytes", TABLE_NUMBER, .scale = 1 / MIB, .digits = 1, .rank = 1},
    {"kernels that take it here", "kernels", .text = kernels_text, .left = true, .clips = 24},
};

const struct table model_type_table = {"model_type", "Types of tensors", type_columns,
                                       .count = sizeof type_columns / sizeof *type_columns};

static int print_types(const struct model_view *view, const struct table_view *table)
{
    json_auto_t *rows = json_array();
    for (size_t i = 0; i < view->census.type_count; i++)
        json_array_append_new(rows, model_type_record(view, &view->census.types[i]));
    putchar('\n');
    return table_show("model", &model_type_table, rows, table);
}

/* ---- a token ---- */

/** Keys and values are of no type of the file. */
static const char *type_text(const json_t *record, char *text, size_t size)
{
    const char *type = json_string_value(json_object_get(record, "tensor_type"));
    bool sum = !json_object_get(record, "limit");
    snprintf(text, size, "%s", type ? type : sum ? "" : "16 bits");
    return text;
}

static const char *shape_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%.0fx%.0f", record_number_or_nan(record, "m"), record_number_or_nan(record, "k"));
    return isfinite(record_number_or_nan(record, "m")) ? text : "-";
}

static const char *bandwidth_text(const json_t *record, char *text, size_t size)
{
    double prepare_s = record_number_or_nan(record, "prepare_s"),
           read_s = record_number_or_nan(record, "predicted_s") - (isfinite(prepare_s) ? prepare_s : 0),
           bandwidth = record_number_or_nan(record, "token_bytes") / read_s;
    snprintf(text, size, "%.1f", 1e-9 * bandwidth);
    return isfinite(bandwidth) ? text : "-";
}

/** That it was computed with, or why there is none. */
static const char *kernel_text(const json_t *record, char *text, size_t size)
{
    const char *kernel = json_string_value(json_object_get(record, "kernel")),
               *why = json_string_value(json_object_get(record, "kernel_reason"));
    char visible[512];
    snprintf(text, size, "%s", kernel ? kernel : why ? text_escape(why, visible, sizeof visible) : "-");
    return text;
}

static const struct table_column part_columns[] = {
    {"tensors", "name", .left = true, .clips = 20},
    {"type", "tensor_type", .text = type_text, .left = true},
    {"MxK", "m", .text = shape_text, .rank = 4},
    {"calls", "calls", TABLE_NUMBER, .digits = -1, .rank = 6},
    {"MiB", "token_bytes", TABLE_NUMBER, .scale = 1 / MIB, .digits = 2, .rank = 3},
    {"ms", "predicted_s", TABLE_NUMBER, .scale = 1e3, .digits = 3, .rank = 1},
    {"prep ms", "prepare_s", TABLE_NUMBER, .scale = 1e3, .digits = 3, .rank = 8},
    {"GB/s", "predicted_s", .text = bandwidth_text, .rank = 5},
    {"limited by", "limit", .rank = 2, .left = true, .limit = true},
    {"kernel", "kernel", .text = kernel_text, .rank = 7, .left = true, .clips = 12},
};

const struct table model_part_table = {"model_part", "A token", part_columns,
                                       .count = sizeof part_columns / sizeof *part_columns};

/** Which is in both numbers where it is known. */
static void print_preparation(const struct token_prediction *token)
{
    char text[512];
    size_t kernels = 0;
    for (size_t i = 0; i < token->count; i++)
        kernels += token->parts[i].kernel != NULL;
    if (!kernels)
        return;
    int used =
        token->unprepared == kernels
            ? snprintf(text, sizeof text, "The time to pack activations is unknown there and not counted.\n")
            : snprintf(text, sizeof text,
                       "These tokens/s include %.3f ms of activation packing on one core, once for matrices that "
                       "share a vector and a kernel.%s",
                       1e3 * token->prepare_s, token->unprepared ? "" : "\n");
    if (token->unprepared && token->unprepared < kernels)
        snprintf(text + used, sizeof text - (size_t)used,
                 " For %zu of %zu tensor groups it is unknown and not "
                 "counted.\n",
                 token->unprepared, kernels);
    console_print_text(text);
}

/** beta is what a core reads while all of them do. */
static bool has_idle_cores(const struct model_view *view)
{
    size_t cores = 0;
    for (size_t i = 0; i < view->platform.kind_count; i++)
        cores += view->platform.kinds[i].cores;
    return view->team.total < cores;
}

/** Whether a kernel takes some tensors, but its gamma was not measured there. */
static bool lacks_gamma(const struct token_prediction *token)
{
    for (size_t i = 0; i < token->count; i++) {
        if (strstr(token->parts[i].why, TOKEN_NO_GAMMA))
            return true;
    }
    return false;
}

/** What a user wants to know first. */
static void print_verdict(const struct model_view *view)
{
    const struct token_prediction *token = &view->token;
    char text[512];
    if (!(token->seconds > 0))
        return;
    snprintf(text, sizeof text,
             "%s %.2f tokens/s: %.3f ms if reading hides all arithmetic. Predicted: %.2f tokens/s, with omega and the "
             "start of calls where measured.\n\n",
             has_idle_cores(view) ? "About" : "At most", 1 / token->least_s, 1e3 * token->least_s, 1 / token->seconds);
    console_print_text(text);
}

/** What that rests on. */
static void print_sum(const struct model_view *view)
{
    const struct token_prediction *token = &view->token;
    if (!(token->seconds > 0))
        return;
    char text[1024];
    snprintf(
        text, sizeof text,
        "\nArithmetic of attention, norms and sampling is not counted; all weights come from memory, which reads %.1f GB/s.\n%s",
        token->roof_bytes_per_s / 1e9,
        has_idle_cores(view)
            ? "That is what these cores read while all the others read, too; alone they may read more and be faster.\n"
            : "");
    console_print_text(text);
    print_preparation(token);
    if (lacks_gamma(token))
        console_print_text(
            "Where no gamma is known, only reading is counted. `kneepoint characterize` measures gamma, and `model` "
            "uses the newest run of this machine.\n");
}

static int print_parts(const struct model_view *view, const struct table_view *table)
{
    const struct token_prediction *token = &view->token;
    json_t *rows = json_array(), *sum = json_pack("{s:s, s:f}", "name", "a token", "token_bytes", token->bytes);
    for (size_t i = 0; i < token->count; i++)
        json_array_append_new(rows, model_part_record(view, &token->parts[i]));
    if (isfinite(token->seconds))
        json_object_set_new(sum, "predicted_s", json_real(token->seconds));
    if (token->prepare_s > 0)
        json_object_set_new(sum, "prepare_s", json_real(token->prepare_s));
    json_array_append_new(rows, sum);
    int code = table_show("model", &model_part_table, rows, table);
    json_decref(rows);
    return code;
}

static int print_token(const struct model_view *view, const struct table_view *table)
{
    char text[8192], at[96];
    snprintf(at, sizeof at, "One token at %" PRIu64 " positions, keys and values in %s", view->positions,
             layer_cache_name(view->cache));
    if (view->has_platform)
        snprintf(text, sizeof text, "\n%s, on %s by %s, %zu thread%s\n", at, view->platform.title, view->platform_from,
                 view->team.total, view->team.total == 1 ? "" : "s");
    else
        snprintf(text, sizeof text, "\n%s; no time: %s\n", at, view->why);
    console_print_text(text);
    int code = print_parts(view, table);
    print_sum(view);
    if (view->facts.window)
        printf("Keys and values: each layer as if it had the sliding window of %" PRIu64 " positions.\n",
               view->facts.window);
    if (view->census.tied)
        puts("The embeddings are the output head, too: looked up and multiplied.");
    return code;
}

int model_print(const struct model_view *view, const struct table_view *table)
{
    print_verdict(view);
    print_heading(view);
    int code = print_types(view, table);
    return code ? code : print_token(view, table);
}
