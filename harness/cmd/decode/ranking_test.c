/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/decode/ranking.h"

#include <math.h>
#include <string.h>

#include "harness/cmd/console/fastest.h"
#include "unit_test.h"

static json_t *quantity(double median)
{
    return json_pack("{s:f, s:f, s:f, s:[f, f], s:i, s:i, s:s, s:s}", "median", median, "min", median, "mad", 0.0,
                     "ci95", median, median, "n", 8, "rejected", 0, "unit", "s", "grade", "wall");
}

static json_t *token(const char *name, double time_s, double roof_fraction, double predicted_s)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:f, s:{s:f}}", "name", name, "time_s", quantity(time_s), "tokens_per_s",
                     quantity(1 / time_s), "roof_fraction", quantity(roof_fraction), "predicted_s", predicted_s,
                     "predicted_parts_s", "sync", 0.01);
}

static json_t *token_after(const char *name, int context, double time_s)
{
    json_t *one = token(name, time_s, 0.9, time_s);
    json_object_set_new(one, "context", json_integer(context));
    return one;
}

static json_t *prompt(const char *name, int tokens, double time_s)
{
    return json_pack("{s:s, s:i, s:o, s:o}", "name", name, "tokens", tokens, "time_s", quantity(time_s), "tokens_per_s",
                     quantity(tokens / time_s));
}

TEST(a_token_is_limited_by_what_explains_its_time)
{
    static const struct {
        double roof_fraction, predicted_s;
        const char *limit;
    } rows[] = {{0.9, 0.95, "memory"}, {0.3, 0.9, "computing"}, {0.5, 0.69, "neither"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *one = token("a", 1, rows[i].roof_fraction, rows[i].predicted_s);
        assert_string_equal(decode_limit(one), rows[i].limit);
        json_decref(one);
    }
    json_auto_t *one = prompt("a", 16, 1);
    assert_null(decode_limit(one));
}

/* Reading and computing overlap: the larger one is the limit, although reading is more than half of the time. */
TEST(a_prompt_is_limited_by_the_largest_of_its_terms)
{
    static const struct {
        double read_s, computing_s, sync_s, predicted_s;
        const char *limit;
    } rows[] = {{0.6, 0.9, 0.01, 0.95, "computing"},
                {0.9, 0.6, 0.01, 0.95, "memory"},
                {0.1, 0.2, 0.7, 0.9, "synchronisation"},
                {0.1, 0.6, 0.01, 0.65, "neither"},
                {0.1, NAN, 0.01, 0.9, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *one = prompt("a", 16, 1),
               *terms = json_pack("{s:f, s:f}", "read", rows[i].read_s, "sync", rows[i].sync_s);
        json_object_set_new(terms, "computing",
                            isnan(rows[i].computing_s) ? json_null() : json_real(rows[i].computing_s));
        json_object_set_new(one, "predicted_s", json_real(rows[i].predicted_s));
        json_object_set_new(one, "predicted_terms_s", terms);
        const char *limit = decode_limit(one);
        if (rows[i].limit)
            assert_string_equal(limit, rows[i].limit);
        else
            assert_null(limit);
        json_decref(one);
    }
}

TEST(the_fastest_token_and_the_next_one)
{
    char text[512];
    json_auto_t *rows = json_array();
    assert_string_equal(decode_verdict_text(rows, text, sizeof text), "");
    fastest_insert(rows, token("slow", 0.5, 0.5, 0.1), decode_compare_by_time);
    fastest_insert(rows, token("fast", 0.25, 0.9, 0.24), decode_compare_by_time);
    assert_string_equal(
        decode_verdict_text(rows, text, sizeof text),
        "fastest here: fast, 4.00 token/s, 90% of the roof, limited by memory; next: slow, 2.00 times as "
        "long, limited by something that the model does not have\n");
}

TEST(of_prompts_the_longest_one_decides)
{
    char text[512];
    json_auto_t *rows = json_array();
    fastest_insert(rows, prompt("b", 512, 8), decode_compare_by_time);
    fastest_insert(rows, prompt("a", 512, 16), decode_compare_by_time);
    fastest_insert(rows, prompt("b", 16, 2), decode_compare_by_time);
    fastest_insert(rows, prompt("a", 16, 1), decode_compare_by_time);
    assert_string_equal(decode_verdict_text(rows, text, sizeof text),
                        "fastest here: b, 64.00 token/s; next: a, 2.00 times as long (512 tokens)\n");
}

/** Contexts ascend, and the verdict is about the longest. */
TEST(tokens_of_several_contexts_are_not_compared)
{
    char text[512];
    json_auto_t *rows = json_array();
    fastest_insert(rows, token_after("a", 2048, 3), decode_compare_by_time);
    fastest_insert(rows, token_after("b", 2048, 2), decode_compare_by_time);
    fastest_insert(rows, token_after("a", 512, 1), decode_compare_by_time);
    assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 0), "name")), "a");
    assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 1), "name")), "b");
    decode_verdict_text(rows, text, sizeof text);
    assert_non_null(strstr(text, "fastest here: b, 0.50 token/s"));
    assert_non_null(strstr(text, "next: a, 1.50 times as long"));
    assert_non_null(strstr(text, " (context of 2048)\n"));
    json_decref(rows);
    rows = json_array();
    fastest_insert(rows, token_after("a", 512, 1), decode_compare_by_time);
    assert_null(strstr(decode_verdict_text(rows, text, sizeof text), "context"));
}

/** Users ascend, and the verdict is about the most. */
TEST(batches_of_several_sizes_are_not_compared)
{
    char text[512];
    json_auto_t *rows = json_array();
    const struct {
        const char *name;
        int users;
        double time_s;
    } batches[] = {{"a", 16, 3}, {"b", 16, 2}, {"a", 4, 1}};
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        json_t *one = token_after(batches[i].name, 512, batches[i].time_s);
        json_object_set_new(one, "users", json_integer(batches[i].users));
        fastest_insert(rows, one, decode_compare_by_time);
    }
    assert_int_equal(json_integer_value(json_object_get(json_array_get(rows, 0), "users")), 4);
    assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 1), "name")), "b");
    decode_verdict_text(rows, text, sizeof text);
    assert_non_null(strstr(text, "fastest here: b, 0.50 token/s"));
    assert_non_null(strstr(text, "next: a, 1.50 times as long"));
    assert_non_null(strstr(text, " (16 users)\n"));
}

/** Users of several lengths are compared with no others of the same longest one. */
TEST(users_of_several_lengths_are_not_compared_with_others)
{
    char text[512];
    json_t *rows = json_array(), *mixed = token_after("a", 512, 1), *shorter = token_after("b", 512, 2);
    json_object_set_new(mixed, "contexts", json_pack("[i, i]", 128, 512));
    json_object_set_new(shorter, "contexts", json_pack("[i, i, i]", 8, 8, 512));
    assert_string_equal(decode_context_text(shorter, text, sizeof text), "8+8+512");
    assert_string_equal(decode_context_text(shorter, text, 4), "8+8");
    fastest_insert(rows, shorter, decode_compare_by_time);
    fastest_insert(rows, mixed, decode_compare_by_time);
    decode_verdict_text(rows, text, sizeof text);
    assert_ptr_equal(strstr(text, "here: b, 0.50 token/s"), text); /* beside no other */
    assert_non_null(strstr(text, " (context of 8+8+512)\n"));
    json_decref(rows);
}

RUN_TESTS(NULL, NULL)
