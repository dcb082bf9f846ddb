/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/decode/ranking.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/fastest.h"
#include "micro/layers/layer.h"
#include "results/records/record.h"
#include "roofline/limit.h"

/** Tokens of a prompt; of a token that is decoded, the positions that it attends to. */
static json_int_t length_of(const json_t *record)
{
    const json_t *tokens = json_object_get(record, "tokens");
    return json_integer_value(tokens ? tokens : json_object_get(record, "context"));
}

const char *decode_context_text(const json_t *record, char *text, size_t size)
{
    const json_t *all = json_object_get(record, "contexts");
    size_t used = (size_t)snprintf(
        text, size, "%lld",
        (long long)json_integer_value(all ? json_array_get(all, 0) : json_object_get(record, "context")));
    for (size_t i = 1; i < json_array_size(all) && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "+%lld", (long long)json_integer_value(json_array_get(all, i)));
    return text;
}

/** 0: of a prompt, or of a token alone. */
static json_int_t users_of(const json_t *record)
{
    return json_integer_value(json_object_get(record, "users"));
}

static const char *cache_of(const json_t *record)
{
    const char *cache = json_string_value(json_object_get(record, "cache"));
    return cache ? cache : "";
}

/** Of more bits first; of prompts there is none. */
static int compare_caches(const json_t *one, const json_t *other)
{
    enum layer_cache left, right;
    layer_cache_named(cache_of(one), &left);
    layer_cache_named(cache_of(other), &right);
    return (left > right) - (left < right);
}

/** Rows of different lengths, numbers of users or caches are not compared. */
static int compare_lengths(const json_t *one, const json_t *other)
{
    json_int_t left = length_of(one), right = length_of(other);
    char of[2][DECODE_CONTEXT_TEXT];
    if (left == right) {
        left = users_of(one);
        right = users_of(other);
    }
    if (left != right)
        return (left > right) - (left < right);
    int texts = strcmp(decode_context_text(one, of[0], DECODE_CONTEXT_TEXT),
                       decode_context_text(other, of[1], DECODE_CONTEXT_TEXT));
    return texts ? texts : compare_caches(one, other);
}

static const char *name_of(const json_t *record)
{
    const char *name = json_string_value(json_object_get(record, "name"));
    return name ? name : "";
}

int decode_compare_by_time(const json_t *one, const json_t *other)
{
    int lengths = compare_lengths(one, other);
    return lengths ? lengths : fastest_compare_times(one, other);
}

/** Of prompts the model has the terms, of which reading and computing overlap. */
static const char *term_of_prompt(const json_t *terms)
{
    double read_s = record_number_or_nan(terms, "read"), sync_s = record_number_or_nan(terms, "sync");
    return limit_term_of_token(read_s, sync_s, read_s + record_number_or_nan(terms, "computing") + sync_s);
}

const char *decode_limit(const json_t *record)
{
    const json_t *terms = json_object_get(record, "predicted_terms_s");
    double time_s = fastest_quantity(record, "time_s").median, allowed_s = record_number_or_nan(record, "predicted_s"),
           read_s = fastest_quantity(record, "roof_fraction").median * time_s,
           sync_s = record_number_or_nan(json_object_get(record, "predicted_parts_s"), "sync");
    return limit_of(terms ? term_of_prompt(terms) : limit_term_of_token(read_s, isnan(sync_s) ? 0 : sync_s, allowed_s),
                    allowed_s, time_s);
}

/** The first row with a time, of the length of one and of another kernel; NULL: there is none. */
static const json_t *first_of(const json_t *rows, const json_t *one, const char *but)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (compare_lengths(row, one) == 0 && isfinite(fastest_quantity(row, "time_s").median) &&
            strcmp(name_of(row), but) != 0)
            return row;
    }
    return NULL;
}

static struct fastest_row row_of(const json_t *record, char *text, size_t size)
{
    double roof = fastest_quantity(record, "roof_fraction").median;
    if (!record)
        return (struct fastest_row){0};
    size_t used = (size_t)snprintf(text, size, "%.2f token/s", fastest_quantity(record, "tokens_per_s").median);
    if (isfinite(roof))
        snprintf(text + used, size - used, ", %.0f%% of the roof", 100 * roof);
    return (struct fastest_row){.name = name_of(record),
                                .attained = text,
                                .limit = decode_limit(record),
                                .time_s = fastest_quantity(record, "time_s")};
}

const char *decode_verdict_text(const json_t *rows, char *text, size_t size)
{
    const json_t *last = json_array_get(rows, json_array_size(rows) - 1), *fastest = first_of(rows, last, ""),
                 *next = fastest ? first_of(rows, last, name_of(fastest)) : NULL;
    json_int_t length = length_of(last), users = users_of(last);
    char attained[2][96], line[512], at[DECODE_CONTEXT_TEXT + 16] = "", of[24] = "", kept[40] = "",
                                                              context[2][DECODE_CONTEXT_TEXT];
    text[0] = 0;
    if (!fastest)
        return text;
    const struct fastest_row best = row_of(fastest, attained[0], sizeof attained[0]),
                             other = row_of(next, attained[1], sizeof attained[1]);
    if (users)
        snprintf(of, sizeof of, " (%lld user%s)", (long long)users, users == 1 ? "" : "s");
    if (json_object_get(fastest, "tokens"))
        snprintf(at, sizeof at, " (%lld token%s)", (long long)length, length == 1 ? "" : "s");
    else if (strcmp(decode_context_text(last, context[0], DECODE_CONTEXT_TEXT),
                    decode_context_text(json_array_get(rows, 0), context[1], DECODE_CONTEXT_TEXT)) != 0)
        snprintf(at, sizeof at, " (context of %s)", context[0]);
    if (strcmp(cache_of(last), cache_of(json_array_get(rows, 0))) != 0)
        snprintf(kept, sizeof kept, " (keys and values in %s)", cache_of(last));
    snprintf(text, size, "%s%s%s%s\n", fastest_text(&best, &other, line, sizeof line), of, at, kept);
    return text;
}
