/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/model/model_command.h"
#include "harness/command/command.h"
#include "results/records/record.h"
#include "results/text/text_escape.h"

static const char command_name[] = "model";

const char *model_text(struct gguf_text text, char *out, size_t size)
{
    char raw[256];
    snprintf(raw, sizeof raw, "%.*s", (int)(text.length < sizeof raw ? text.length : sizeof raw - 1), text.at);
    return text_escape(raw, out, size);
}

/** Whether a kernel reads the type's blocks as they are, and runs here. */
static bool reads_type(const struct model_view *view, const struct kernel *kernel, const struct census_type *type)
{
    return type->type && type->type->format && strcmp(kernel->format->name, type->type->format) == 0 && kernel->gemv &&
           isa_runs(isa_find(kernel->isa), view->features);
}

/** A whole number that a double holds. */
static json_t *whole(double number)
{
    return number < 0x1p53 ? json_integer((json_int_t)number) : json_real(number);
}

static json_t *count_or_null(uint64_t count)
{
    return count && count <= INT64_MAX ? json_integer((json_int_t)count) : json_null();
}

static json_t *text_json(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    char own[4608];
    snprintf(own, sizeof own, "%s", text);
    return json_string(text_utf8(own));
}

static json_t *file_text(struct gguf_text text)
{
    char out[256];
    return text.length ? text_json(model_text(text, out, sizeof out)) : json_null();
}

static json_t *kernels_json(const struct model_view *view, const struct census_type *type)
{
    json_t *names = json_array();
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (reads_type(view, *kernel, type))
            json_array_append_new(names, json_string((*kernel)->name));
    }
    return names;
}

json_t *model_type_record(const struct model_view *view, const struct census_type *type)
{
    char name[32];
    return json_pack("{s:s, s:s, s:I, s:b, s:I, s:o, s:o, s:o}", "type", "model_type", "name",
                     census_type_name(type->type_id, type->type, name, sizeof name), "id", (json_int_t)type->type_id,
                     "known", type->type != NULL, "tensors", (json_int_t)type->tensors, "weights", whole(type->weights),
                     "bytes", whole(type->bytes), "kernels", kernels_json(view, type));
}

static void set_group(json_t *record, const struct census_group *group)
{
    char name[32];
    json_object_set_new(record, "use", json_string(census_use_name(group->use)));
    json_object_set_new(record, "tensor_type",
                        json_string(census_type_name(group->type_id, group->type, name, sizeof name)));
    json_object_set_new(record, "m", count_or_null(group->m));
    json_object_set_new(record, "k", count_or_null(group->k));
    json_object_set_new(record, "tensors", json_integer((json_int_t)group->tensors));
    json_object_set_new(record, "matrices", whole(group->matrices));
    json_object_set_new(record, "bytes", whole(group->bytes));
    json_object_set_new(record, "calls", json_real(group->calls));
}

json_t *model_part_record(const struct model_view *view, const struct token_part *part)
{
    const char *name = part->group ? part->group->roles : "keys and values";
    json_t *record = json_pack("{s:s, s:o}", "type", "model_part", "name", text_json(name));
    if (!record)
        return NULL;
    if (part->group)
        set_group(record, part->group);
    json_object_set_new(record, "token_bytes", whole(round(part->bytes)));
    json_object_set_new(record, "kernel", part->kernel ? json_string(part->kernel->name) : json_null());
    json_object_set_new(record, "grade", json_string("model"));
    json_object_set_new(record, "least_s", record_number_or_null(part->least_s));
    json_object_set_new(record, "predicted_s", record_number_or_null(part->seconds));
    if (part->kernel) {
        json_object_set_new(record, "vectors", json_real(part->vectors));
        json_object_set_new(record, "prepare_s", record_number_or_null(part->prepare_s));
    }
    json_object_set_new(record, "limit", view->has_platform ? json_string(token_limit_name(part->limit)) : json_null());
    const char *reason = part->why[0] ? part->why : view->has_platform ? "" : view->why;
    if (*reason)
        json_object_set_new(record, part->why[0] ? "kernel_reason" : "predicted_s_reason", text_json(reason));
    if (part->kernel)
        json_object_set_new(record, "prediction", prediction_record(&part->prediction));
    return record;
}

static json_t *model_record(const struct model_view *view)
{
    const struct model_facts *facts = &view->facts;
    const struct token_prediction *token = &view->token;
    json_t *name = facts->name.length ? file_text(facts->name) : text_json(view->path);
    json_t *record = json_pack("{s:s, s:o, s:o, s:o, s:I, s:o, s:I, s:o, s:o, s:o}", "type", "model", "name", name,
                               "path", view->type ? json_null() : text_json(view->path), "version",
                               view->type ? json_null() : json_integer(view->file.shards[0].gguf.version), "files",
                               (json_int_t)view->file.shard_count, "architecture", file_text(facts->architecture),
                               "tensors", (json_int_t)view->file.tensor_count, "weights", whole(view->census.weights),
                               "bytes", whole(view->census.bytes), "token_bytes", whole(round(token->bytes)));
    if (!record)
        return NULL;
    const struct {
        const char *name;
        uint64_t number;
    } counts[] = {
        {"layers", facts->layers},        {"embedding", facts->embedding},   {"heads", facts->heads},
        {"kv_heads", facts->kv_heads},    {"key_length", facts->key_length}, {"value_length", facts->value_length},
        {"context_most", facts->context}, {"experts", facts->experts},       {"experts_used", facts->experts_used},
        {"sliding_window", facts->window}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        json_object_set_new(record, counts[i].name, count_or_null(counts[i].number));
    json_object_set_new(record, "tied", json_boolean(view->census.tied));
    json_object_set_new(record, "context", json_integer((json_int_t)view->positions));
    json_object_set_new(record, "cache", json_string(layer_cache_name(view->cache)));
    json_object_set_new(record, "kv_bytes", whole(view->kv_bytes));
    json_object_set_new(record, "platform", view->has_platform ? text_json(view->platform.name) : json_null());
    json_object_set_new(record, "platform_from", view->has_platform ? text_json(view->platform_from) : json_null());
    json_object_set_new(record, "threads", count_or_null(view->has_platform ? view->team.total : 0));
    json_object_set_new(record, "roof_bytes_per_s", record_number_or_null(token->roof_bytes_per_s));
    json_object_set_new(record, "grade", json_string("model"));
    json_object_set_new(record, "least_s", record_number_or_null(token->least_s));
    json_object_set_new(record, "predicted_s", record_number_or_null(token->seconds));
    json_object_set_new(
        record, "prepare_s",
        record_number_or_null(token->unprepared || !view->has_platform ? (double)NAN : token->prepare_s));
    json_object_set_new(record, "tokens_per_s_most", record_number_or_null(1 / token->least_s));
    json_object_set_new(record, "tokens_per_s", record_number_or_null(1 / token->seconds));
    if (!view->has_platform)
        json_object_set_new(record, "predicted_s_reason", text_json(view->why));
    return record;
}

int model_print_json(const struct model_view *view)
{
    int code = EXIT_DONE;
    for (size_t i = 0; code == EXIT_DONE && i < view->census.type_count; i++)
        code = print_record(command_name, model_type_record(view, &view->census.types[i]));
    for (size_t i = 0; code == EXIT_DONE && i < view->token.count; i++)
        code = print_record(command_name, model_part_record(view, &view->token.parts[i]));
    return code == EXIT_DONE ? print_record(command_name, model_record(view)) : code;
}
