/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "results/text/words.h"
#include "unit_test.h"

TEST(words_stand_between_commas)
{
    char text[32] = "";
    words_add(text, sizeof text, "one");
    words_add(text, sizeof text, "%d of %s", 2, "two");
    assert_string_equal(text, "one, 2 of two");
}

/** Neither half a comma nor a word that looks like a part of the one before. */
TEST(what_does_not_fit_is_cut)
{
    char text[8] = "";
    words_add(text, sizeof text, "abcd");
    words_add(text, sizeof text, "efgh");
    assert_string_equal(text, "abcd, e");
    for (size_t length = 5; length < sizeof text; length++) {
        char whole[sizeof text] = "";
        words_add(whole, sizeof whole, "%.*s", (int)length, "abcdefg");
        words_add(whole, sizeof whole, "x");
        assert_int_equal(strlen(whole), length);
    }
}

RUN_TESTS(NULL, NULL)
