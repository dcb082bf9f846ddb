/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/plugin_names.h"
#include "unit_test.h"

TEST(a_tag_is_what_differs_between_two_paths)
{
    static const struct {
        const char *path, *other, *tag;
    } table[] = {
        {"./new.so", "./old.so", "new"},
        {"new/mine.so", "old/mine.so", "new"},
        {"/a/b/new/lib/mine.so", "/a/b/old/lib/mine.so", "new"},
        {"build-2/mine.so", "./mine.so", "build_2"},
        {"./so", "./mine.so", "so"},
        {"a-folder-that-has-a-very-long-name/mine.so", "b/mine.so", "a_folder_that_has_a_ver"},
        {"mine.so", "mine.so", NULL},
        {"./mine.so", "mine.so", NULL},
        {"mine.so", "old/mine.so", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char tag[PLUGIN_TAG] = "";
        assert_int_equal(plugin_names_tag(table[i].path, table[i].other, tag), table[i].tag != NULL);
        if (table[i].tag)
            assert_string_equal(tag, table[i].tag);
    }
}

RUN_TESTS(NULL, NULL)
