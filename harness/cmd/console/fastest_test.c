/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/fastest.h"

#include <math.h>
#include <string.h>

#include "unit_test.h"

static struct fastest_row row(const char *name, const char *limit, double from, double median, double to)
{
    return (struct fastest_row){
        .name = name, .attained = "94% of the roof", .limit = limit, .time_s = {.median = median, .ci95 = {from, to}}};
}

static void expect(struct fastest_row fastest, struct fastest_row next, const char *wanted)
{
    char text[512];
    assert_string_equal(fastest_text(&fastest, &next, text, sizeof text), wanted);
}

TEST(the_fastest_is_named_with_its_limit_and_the_next_one)
{
    expect(
        row("a", "memory", 9, 10, 11), row("b", "up-convert", 12, 15, 16),
        "fastest here: a, 94% of the roof, limited by memory; next: b, 1.50 times as long, limited by up-converting");
    expect(row("a", "start", 9, 10, 11), row("b", NULL, 10.5, 12, 13),
           "fastest here: a, 94% of the roof, limited by the start of a call; next: b, as fast within the noise");
    expect(row("a", "neither", 9, 10, 11), (struct fastest_row){0},
           "here: a, 94% of the roof, limited by something that the model does not have");
    expect((struct fastest_row){0}, (struct fastest_row){0}, "");
}

TEST(advice_counts_rows_and_names_a_kernel)
{
    char text[512];
    assert_string_equal(fastest_advice_text(NULL, 0, text, sizeof text), "");
    fastest_advice_text("int2.x.avx2", 1, text, sizeof text);
    assert_ptr_equal(strstr(text, "neither: 1 row attains less than 70% of "), text);
    assert_non_null(strstr(text, "`kneepoint terms int2.x.avx2`"));
    fastest_advice_text("int2.x.avx2", 3, text, sizeof text);
    assert_ptr_equal(strstr(text, "neither: 3 rows attain less than "), text);
}

static json_t *timed(const char *name, double median)
{
    if (isnan(median))
        return json_pack("{s:s, s:n}", "name", name, "time_s");
    return json_pack("{s:s, s:{s:f, s:f, s:f, s:[f, f], s:i, s:i, s:s, s:s}}", "name", name, "time_s", "median", median,
                     "min", median, "mad", 0.0, "ci95", median, median, "n", 8, "rejected", 0, "unit", "s", "grade",
                     "wall");
}

TEST(rows_come_by_time_and_those_without_a_time_last)
{
    json_auto_t *rows = json_array();
    char order[8] = "";
    fastest_insert(rows, timed("n", NAN), fastest_compare_times);
    fastest_insert(rows, timed("b", 2), fastest_compare_times);
    fastest_insert(rows, timed("c", 2), fastest_compare_times);
    fastest_insert(rows, timed("a", 1), fastest_compare_times);
    fastest_insert(rows, timed("m", NAN), fastest_compare_times);
    for (size_t i = 0; i < json_array_size(rows); i++)
        strcat(order, json_string_value(json_object_get(json_array_get(rows, i), "name")));
    assert_string_equal(order, "abcnm");
    assert_true(isnan(fastest_quantity(json_array_get(rows, 3), "time_s").median));
}

RUN_TESTS(NULL, NULL)
