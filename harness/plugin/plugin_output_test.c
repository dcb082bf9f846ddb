/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/plugin_output.h"

#include <stdio.h>

#include "unit_test.h"

TEST(lines_of_a_text_are_kept_once)
{
    struct plugin_output said = {0};
    plugin_output_add(&said, "a", "one\n\ntwo");
    plugin_output_add(&said, "a", "two\none\n");
    plugin_output_add(&said, "b", "one");
    plugin_output_note(&said, "a", "is slow");
    plugin_output_note(&said, "a", "is slow");
    assert_int_equal(said.count, 4);
    assert_string_equal(said.line[0].text, "printed: one");
    assert_string_equal(said.line[1].text, "printed: two");
    assert_string_equal(said.line[2].name, "b");
    assert_string_equal(said.line[3].text, "is slow");
    assert_int_equal(said.left_out, 0);
    plugin_output_release(&said);
}

TEST(more_than_there_is_room_for_is_counted)
{
    struct plugin_output said = {0};
    char text[16];
    for (int i = 0; i < PLUGIN_SAID_LINES + 3; i++) {
        snprintf(text, sizeof text, "line %d\n", i);
        plugin_output_add(&said, "a", text);
    }
    plugin_output_add(&said, "b", "line");
    assert_int_equal(said.count, PLUGIN_SAID_LINES + 1);
    assert_int_equal(said.left_out, 3);
    plugin_output_release(&said);
}

RUN_TESTS(NULL, NULL)
