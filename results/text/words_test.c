/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "results/text/words.h"
#include "unit_test.h"

static void words_stand_between_commas(void **state)
{
    char text[32] = "";
    (void)state;
    words_add(text, sizeof text, "one");
    words_add(text, sizeof text, "%d of %s", 2, "two");
    assert_string_equal(text, "one, 2 of two");
}

/** Neither half a comma nor a word that looks like a part of the one before. */
static void what_does_not_fit_is_cut(void **state)
{
    char text[8] = "";
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_stand_between_commas),
        cmocka_unit_test(what_does_not_fit_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
