/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/limit.h"
#include "reports/select/run/testing.h"

static void assert_limit(const char *binds, double of_roof, double predicted_s, const char *expected)
{
    json_auto_t *row = json_pack("{s:s*,s:f,s:f}", "binds", binds, "time_s", 1.0, "predicted_s", predicted_s);
    if (of_roof > 0)
        json_object_set_new(row, "roof_fraction", json_pack("{s:f}", "median", of_roof));
    assert_string_equal(row_limit_words(row), expected);
}

TEST(a_limit_is_named_where_it_is_attained)
{
    assert_limit("memory", 0.95, 0.5, "memory");
    assert_limit("memory", 0.25, 0.9, "neither");
    assert_limit("memory", 0, 0.9, "memory");
    assert_limit("memory", 0, 0.25, "neither");
    assert_limit("up-convert", 0.25, 0.9, "instructions");
    assert_limit("up-convert", 0.25, 0.5, "neither");
    assert_limit("start", 0.25, 0.9, "start");
    assert_limit(NULL, 0.25, 0.5, "");
    assert_string_equal(row_limit_words(NULL), "");
}

RUN_TESTS(NULL, NULL)
