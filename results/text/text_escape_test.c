/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "results/text/text_escape.h"
#include "unit_test.h"

static void escapes(const char *text, const char *expected)
{
    char out[64];
    assert_string_equal(text_escape(text, out, sizeof out), expected);
}

TEST(control_characters_are_made_visible_and_nothing_else_changes)
{
    escapes("gemv/int2_vnni4.mask.avx2/64x64", "gemv/int2_vnni4.mask.avx2/64x64");
    escapes("a\033[2Jb", "a\\x1b[2Jb");
    escapes("one\ntwo\r\tthree\a", "one\\x0atwo\\x0d\\x09three\\x07");
    escapes("del\177", "del\\x7f");
    escapes("csi\302\2332J", "csi\\x9b2J"); /* U+009B is ESC [ in one character */
    escapes("\302\265s \316\263 \342\202\254", "\302\265s \316\263 \342\202\254");
    escapes("\302", "\302"); /* cut within a character */
    escapes("", "");
}

TEST(a_text_is_cut_between_characters)
{
    char out[8];
    assert_string_equal(text_escape("abcdefghij", out, sizeof out), "abcdefg");
    assert_string_equal(text_escape("abcd\033e", out, sizeof out), "abcd");
    assert_string_equal(text_escape("\033", out, 1), "");
}

TEST(what_is_no_utf8_becomes_question_marks)
{
    char whole[] = "25 \302\261 1", cut[] = "25 \302", mixed[] = "\302\261 \377";
    assert_string_equal(text_utf8(whole), "25 \302\261 1");
    assert_string_equal(text_utf8(cut), "25 ?");
    assert_string_equal(text_utf8(mixed), "?? ?");
}

TEST(texts_and_names_of_json_are)
{
    json_t *value =
        json_loads("{\"name\":\"a\\u001bc\",\"list\":[\"\\n\",1,null,{\"x\\u009by\":\"z\"}],\"plain\":\"p\"}", 0, NULL);
    assert_non_null(value);
    assert_int_equal(text_escape_json(value), 0);
    char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(text,
                        "{\"list\":[\"\\\\x0a\",1,null,{\"x\\\\x9by\":\"z\"}],\"name\":\"a\\\\x1bc\",\"plain\":\"p\"}");
    free(text);
    json_decref(value);
}

RUN_TESTS(NULL, NULL)
