/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "harness/plugin/name_filter.h"
#include "unit_test.h"

TEST(distances_count_edits)
{
    char longest[200];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    assert_int_equal(nearest_name_distance("", ""), 0);
    assert_int_equal(nearest_name_distance("gamma", "gamma"), 0);
    assert_int_equal(nearest_name_distance("", "abc"), 3);
    assert_int_equal(nearest_name_distance("abc", ""), 3);
    assert_int_equal(nearest_name_distance("ganma", "gamma"), 1);
    assert_int_equal(nearest_name_distance("gmama", "gamma"), 1); /* neighbours exchanged */
    assert_int_equal(nearest_name_distance("gama", "gamma"), 1);
    assert_int_equal(nearest_name_distance("kitten", "sitting"), 3);
    assert_int_equal(nearest_name_distance("GaMMa", "gamma"), 0);
    assert_int_equal(nearest_name_distance("GMAMA", "gamma"), 1);
    assert_true(nearest_name_distance(longest, "x") == SIZE_MAX);
    assert_true(nearest_name_distance("x", longest) == SIZE_MAX);
}

static const char *hint_of(const char *given, const char *const *candidates, char text[200])
{
    struct nearest_name nearest = nearest_name_begin(given);
    for (; *candidates; candidates++)
        nearest_name_consider(&nearest, *candidates, strlen(*candidates));
    return nearest_name_hint(&nearest, text, 200);
}

TEST(the_nearest_is_suggested_and_the_far_is_not)
{
    char text[200];
    static const char *const commands[] = {"beta", "gamma", "gemm", "gemv", "knee", NULL};
    assert_string_equal(hint_of("ganma", commands, text), "; did you mean 'gamma'?");
    assert_string_equal(hint_of("gemw", commands, text), "; did you mean 'gemm'?"); /* the first of equals */
    assert_string_equal(hint_of("birds", commands, text), "");
    assert_string_equal(hint_of("", commands, text), "");
    assert_string_equal(hint_of("x", commands, text), ""); /* nothing of it would be left */
    static const char *const options[] = {"--all", "--model", NULL};
    assert_string_equal(hint_of("--modle", options, text), "; did you mean '--model'?");
    assert_string_equal(hint_of("--lal", options, text), "; did you mean '--all'?");
    assert_string_equal(hint_of("--mode-l", options, text), "; did you mean '--model'?");
    assert_string_equal(hint_of("--quiet", options, text), "");
    static const char *const names[] = {"int2_vnni4.mask.avx2", "int2_vnni4", NULL};
    assert_string_equal(hint_of("int2_vnin4", names, text), "; did you mean 'int2_vnni4'?");
    assert_string_equal(hint_of("int2_vnni4.maks.avx2", names, text), "; did you mean 'int2_vnni4.mask.avx2'?");
    struct nearest_name nearest = nearest_name_begin("int2_vnin4");
    nearest_name_consider(&nearest, names[0], 10); /* a leading part */
    assert_string_equal(nearest_name_hint(&nearest, text, sizeof text), "; did you mean 'int2_vnni4'?");
}

RUN_TESTS(NULL, NULL)
