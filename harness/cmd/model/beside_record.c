/* SPDX-License-Identifier: BSD-3-Clause
 *
 * "engine": a result of an engine beside memory and our pass, and the parts of its time.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cmd/model/beside.h"
#include "harness/gguf/gguf.h"
#include "reports/select/run/view.h"
#include "results/records/record.h"

/** What memory alone takes for a token, or for reading the weights of a prompt once; NaN with the reason. */
struct memory {
    double bytes, weights_s, cache_s;
    const char *from; /* of the roof */
    char why[1024];
};

/** The read roof of the result's team: of the described machine, else beside our pass of a token. */
static double find_roof(const struct beside_row *row, const struct model_view *view, const json_t *token_pass,
                        struct memory *memory)
{
    char threads[16];
    struct prediction_team team;
    struct token_prediction token;
    double roof = NAN;
    snprintf(threads, sizeof threads, "%u", row->threads);
    snprintf(memory->why, sizeof memory->why, "%s", view->why);
    if (view->has_platform &&
        prediction_plan_team(threads, &view->platform, &team, memory->why, sizeof memory->why) == 0 &&
        token_predict(&view->census, 0, &view->platform, &team, &token) == 0) {
        roof = token.roof_bytes_per_s;
        memory->from = view->platform_from;
        token_free(&token);
    }
    if (roof > 0)
        return roof;
    memory->from = row->prompt ? "read beside our pass of a token" : "read beside our pass";
    return view_median(token_pass, "roof_bytes_per_s");
}

/** Bytes of a number in a cache of this type, as engines name it; NaN: not known. */
static double bytes_of_type(const char *name)
{
    char upper[16];
    size_t length = 0;
    for (; name[length] && length + 1 < sizeof upper; length++)
        upper[length] = (char)toupper((unsigned char)name[length]);
    upper[length] = '\0';
    const struct gguf_type *type = gguf_type_named(upper);
    return !length                     ? MODEL_CACHE_BYTES
           : type && type->block_bytes ? (double)type->block_bytes / type->block_columns
                                       : NAN;
}

/** Of the engine's keys and values; NaN with the reason. */
static double cache_of(const struct beside_row *row, const struct model_view *view, struct memory *memory)
{
    const struct engine_result *of = row->of;
    const double key = bytes_of_type(of->type_k), value = bytes_of_type(of->type_v);
    if (isnan(key) || isnan(value))
        snprintf(memory->why, sizeof memory->why,
                 "what a number of the cache's type %s takes is not known; run the engine with %s f16",
                 isnan(key) ? of->type_k : of->type_v, isnan(key) ? "-ctk" : "-ctv");
    return model_kv_bytes(&view->facts, row->context, key, value);
}

/** @param engine  whose keys and values are of the engine's types, and else of our pass */
static struct memory memory_of(const struct beside_row *row, const struct model_view *view, const json_t *token,
                               bool engine)
{
    struct memory memory = {NAN, NAN, NAN, NULL, ""};
    const double roof = find_roof(row, view, token, &memory);
    const double value_bytes = layer_cache_value_bytes(row->cache);
    double cache = 0;
    if (!engine_result_is_token(row->of) && !row->prompt) {
        snprintf(memory.why, sizeof memory.why, "%s", row->pass_why);
        return memory;
    }
    if (roof > 0)
        memory.why[0] = '\0';
    if (engine_result_is_token(row->of))
        cache = engine ? cache_of(row, view, &memory)
                       : model_kv_bytes(&view->facts, row->context, value_bytes, value_bytes);
    memory.bytes = view->census.token_bytes + cache;
    if (roof > 0) {
        memory.weights_s = view->census.token_bytes / roof;
        memory.cache_s = cache / roof;
    }
    return memory;
}

/** What the products of a pass take: the layers' and the head's. */
static double kernels_of(const json_t *pass)
{
    const json_t *parts = json_object_get(pass, "parts");
    double sum = json_array_size(parts) ? 0 : NAN;
    for (size_t i = 0; i < json_array_size(parts); i++) {
        const json_t *part = json_array_get(parts, i);
        if (json_is_true(json_object_get(part, "gemv")) || strcmp(record_text(part, "part"), "head") == 0)
            sum += view_median(part, "time_s");
    }
    return sum;
}

static void set_engine(json_t *record, const struct engine_result *of, double time_s)
{
    const bool spread = isfinite(of->least) && isfinite(of->most);
    field_set_number(record, "tokens_per_s", of->tokens_per_s);
    field_set(record, "tokens_per_s_spread", spread ? json_pack("[f, f]", of->least, of->most) : json_null());
    if (!spread)
        field_set_reason(record, "tokens_per_s_spread",
                         of->repetitions ? "fewer than two repetitions; run llama-bench with -r 5 or more"
                                         : "it is not said how far repetitions differ");
    field_set(record, "repetitions", of->repetitions ? json_integer((json_int_t)of->repetitions) : json_null());
    field_set_number(record, "time_s", time_s);
}

/**
 * Of what the engine attains, of another rate; where repetitions differ, with the least and the most that it can be.
 * @param low, high  between which the other rate lies; NaN: not known
 */
static void set_share(json_t *record, const char *field, const struct engine_result *of, double rate, double low,
                      double high)
{
    char name[64];
    const double least = of->least / high, most = of->most / low;
    field_set_number(record, field, of->tokens_per_s / rate);
    snprintf(name, sizeof name, "%s_spread", field);
    field_set(record, name, isfinite(least) && isfinite(most) ? json_pack("[f, f]", least, most) : json_null());
}

static double interval_end(const json_t *record, const char *field, size_t end)
{
    const json_t *number = json_array_get(json_object_get(json_object_get(record, field), "ci95"), end);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

/** Parts that are not known are null; why is said here unless memory_s and kernels_s have said it. */
static void set_parts(json_t *record, const char *field, const struct engine_token *parts, const char *longer)
{
    const bool said = parts->state == ENGINE_TOKEN_NO_MEMORY || parts->state == ENGINE_TOKEN_NO_KERNELS;
    const char *why = said ? NULL : parts->state == ENGINE_TOKEN_LONGER ? longer : engine_token_why(parts->state);
    json_t *all = json_object();
    field_set_number(all, "memory", parts->memory_s);
    field_set_number(all, "kernels_beyond", parts->beyond_s);
    field_set_number(all, "everything_else", parts->rest_s);
    field_set(record, field, all);
    if (why)
        field_set_reason(record, field, why);
}

/** Where parts are not known, all of the pass is what can be compared. */
static void set_most(json_t *record, const struct engine_token *engine, const struct engine_token *pass, double time_s,
                     double pass_s)
{
    const bool unknown = isnan(engine->memory_s) || isnan(pass->memory_s);
    const struct engine_token_saving whole = {ENGINE_TOKEN_ALL, time_s - pass_s},
                                     most = unknown && time_s > pass_s ? whole : engine_token_most(engine, pass);
    const char *change = engine_token_change_name(most.change);
    field_set(record, "most_saved_by", change ? json_string(change) : json_null());
    field_set_number(record, "most_saved_s", change ? most.saved_s : NAN);
    field_set_number(record, "saved_tokens_per_s",
                     change ? record_number(record, "tokens_per_s") * time_s / (time_s - most.saved_s) : NAN);
}

static json_t *begin(const struct beside *beside, const struct beside_row *row)
{
    const char *slash = strrchr(beside->view->path, '/');
    const struct engine_result *of = row->of;
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s?, s:s, s:i, s:I, s:I, s:I, s:I}", "type", "engine", "name",
                     row->name, "model", slash ? slash + 1 : beside->view->path, "test", of->test, "settings",
                     of->settings, "engine", of->engine[0] ? of->engine : NULL, "commit", of->commit, "threads",
                     (int)row->threads, "context", (json_int_t)row->context, "n_prompt", (json_int_t)of->prompt,
                     "n_gen", (json_int_t)of->generated, "n_depth", (json_int_t)of->depth);
}

json_t *beside_record(const struct beside *beside, const struct beside_row *row, const json_t *pass,
                      const json_t *token, const json_t *kernels)
{
    const struct engine_result *of = row->of;
    const struct memory memory = memory_of(row, beside->view, token, true),
                        own = memory_of(row, beside->view, token, false);
    json_t *record = begin(beside, row);
    if (!record)
        return NULL;
    /* of a prompt all tokens together, which read the weights once */
    const double tokens = row->prompt ? (double)of->prompt : 1, time_s = tokens / of->tokens_per_s,
                 memory_s = memory.weights_s + memory.cache_s, pass_s = view_median(pass, "time_s"),
                 pass_rate = view_median(pass, "tokens_per_s"), own_s = kernels_of(pass), its_s = kernels_of(kernels);
    const char *few = "too few samples were kept; --samples=N takes more";
    const struct engine_token parts = engine_token_parts(time_s, memory.weights_s, memory.cache_s, its_s),
                              pass_parts = engine_token_parts(pass_s, own.weights_s, own.cache_s, own_s);
    set_engine(record, of, time_s);
    field_set_number(record, "bytes", memory.bytes);
    field_set_number_or_why(record, "memory_s", memory_s, memory.why);
    field_set(record, "memory_from", isfinite(memory_s) ? json_string(memory.from) : json_null());
    field_set_number(record, "memory_tokens_per_s", tokens / memory_s);
    field_set_number_or_why(record, "pass_s", pass_s, row->pass_why[0] ? row->pass_why : few);
    field_set(record, "pass_tokens_per_s", pass ? json_deep_copy(json_object_get(pass, "tokens_per_s")) : json_null());
    set_share(record, "share_of_pass", of, pass_rate, interval_end(pass, "tokens_per_s", 0),
              interval_end(pass, "tokens_per_s", 1));
    set_share(record, "share_of_memory", of, tokens / memory_s, tokens / memory_s, tokens / memory_s);
    field_set_number(record, "pass_share_of_memory", (own.weights_s + own.cache_s) / pass_s);
    field_set_number_or_why(record, "kernels_s", its_s, row->kernels_why[0] ? row->kernels_why : few);
    field_set_number_or_why(record, "pass_kernels_s", own_s, isnan(pass_s) ? NULL : few);
    field_set_number(record, "pass_with_kernels_s", view_median(kernels, "time_s"));
    if (kernels) {
        field_set(record, "plugin", json_string(beside->plugin->description->name));
        field_set(record, "kernels_weights", json_string(row->random ? "random" : "of the file"));
        field_set(record, "kernels", json_deep_copy(json_object_get(kernels, "matrices")));
    }
    set_parts(record, "parts_s", &parts, engine_token_why(ENGINE_TOKEN_LONGER));
    set_parts(record, "pass_parts_s", &pass_parts,
              "the medians of its products add up to more than its own; --samples=N takes more");
    set_most(record, &parts, &pass_parts, time_s, pass_s);
    return record;
}
