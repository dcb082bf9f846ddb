/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/plugin/plugins_find.h"
#include "unit_test.h"

static char root[] = "/tmp/plugins_find_XXXXXX";

static const char *at(const char *path)
{
    static char text[256];
    snprintf(text, sizeof text, "%s/%s", root, path);
    return text;
}

static void make(const char *path)
{
    FILE *file = fopen(at(path), "w");
    assert_non_null(file);
    fclose(file);
}

static int set_up(void **state)
{
    static const char *const folders[] = {"bin", "bin/plugins", "lib", "lib/kneepoint", "lib/kneepoint/plugins", "own"};
    (void)state;
    assert_non_null(mkdtemp(root));
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        assert_int_equal(mkdir(at(folders[i]), 0700), 0);
    make("bin/plugins/b.so");
    make("bin/plugins/a.so");
    make("bin/plugins/a.c");
    make("bin/plugins/.so");
    make("lib/kneepoint/plugins/b.so");
    make("lib/kneepoint/plugins/c.so");
    make("own/z.so");
    return 0;
}

static int tear_down(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", root);
    return system(command);
}

TEST(beside_the_tool_and_then_where_they_are_installed)
{
    struct plugins_found found;
    char executable[256], text[512];
    snprintf(executable, sizeof executable, "%s", at("bin/kneepoint"));
    assert_int_equal(plugins_find(NULL, executable, &found), 0);
    assert_int_equal(found.count, 3);
    assert_string_equal(found.path[0], at("bin/plugins/a.so"));
    assert_string_equal(found.path[1], at("bin/plugins/b.so"));
    assert_string_equal(found.path[2], at("lib/kneepoint/plugins/c.so"));
    plugins_found_say_folders(&found, text, sizeof text);
    assert_non_null(strstr(text, "bin/plugins or "));
    plugins_found_release(&found);
}

TEST(folders_that_are_named_are_all)
{
    struct plugins_found found;
    char named[512], text[512];
    snprintf(named, sizeof named, ":%s/none:%s/own:", root, root);
    assert_int_equal(plugins_find(named, "kneepoint", &found), 0);
    assert_int_equal(found.folders, 2);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.path[0], at("own/z.so"));
    plugins_found_release(&found);
    assert_int_equal(plugins_find("", "kneepoint", &found), 0);
    assert_int_equal(found.count, 0);
    plugins_found_say_folders(&found, text, sizeof text);
    assert_string_equal(text, "any folder");
    plugins_found_release(&found);
    assert_int_equal(plugins_find("1:2:3:4:5:6:7:8:9", "kneepoint", &found), -E2BIG);
    plugins_found_release(&found);
}

RUN_TESTS(set_up, tear_down)
