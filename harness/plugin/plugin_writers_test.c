/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/plugin/plugins_find.h"
#include "unit_test.h"

static char folder[] = "/tmp/plugin_writers_XXXXXX", inner[64], path[80];

static int open_place(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(inner, sizeof inner, "%s/inner", folder);
    snprintf(path, sizeof path, "%s/a.so", inner);
    assert_int_equal(mkdir(inner, 0700), 0);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    return chmod(path, 0644);
}

static int close_place(void **state)
{
    (void)state;
    return unlink(path) | rmdir(inner) | rmdir(folder);
}

/** With these modes, above it /tmp, which is sticky. */
static const char *said(mode_t outer_mode, mode_t inner_mode, mode_t file_mode)
{
    static char text[200];
    assert_int_equal(chmod(folder, outer_mode) | chmod(inner, inner_mode) | chmod(path, file_mode), 0);
    bool can = plugin_writers_say(path, text, sizeof text);
    assert_int_equal(can, text[0] != '\0');
    return text;
}

TEST(what_only_its_owner_can_write_is_safe)
{
    assert_string_equal(said(0755, 0755, 0644), "");
    assert_string_equal(said(0700, 0700, 0500), "");
}

TEST(what_everybody_can_write_is_named_with_the_remedy)
{
    char expected[200];
    assert_string_equal(said(0755, 0755, 0646),
                        "can be written by others, whose code would run as you; `chmod go-w` it");
    snprintf(expected, sizeof expected,
             "lies in %s, where others can put another, which would run as you; `chmod go-w` that folder", inner);
    assert_string_equal(said(0755, 0757, 0644), expected);
    snprintf(expected, sizeof expected,
             "lies in %s, where others can put another, which would run as you; `chmod go-w` that folder", folder);
    assert_string_equal(said(0757, 0755, 0644), expected);
}

TEST(a_sticky_folder_is_safe_for_what_is_ours)
{
    assert_string_equal(said(0755, 01777, 0644), "");
    assert_string_equal(said(01777, 0755, 0644), "");
    skip_if(geteuid() != 0, "not on this machine: only root can give a file away");
    assert_int_equal(chown(path, 12345, 0), 0);
    assert_non_null(strstr(said(0755, 01777, 0644), "; copy it to a folder of your own"));
    assert_int_equal(chown(path, 0, 0), 0);
}

TEST(a_group_counts_unless_it_is_the_users_own)
{
    enum { NAMELESS = 54321 };
    skip_if(geteuid() != 0, "not on this machine: only root can give a file to any group");
    assert_int_equal(chown(path, 0, NAMELESS), 0);
    assert_string_equal(said(0755, 0755, 0664),
                        "can be written by others, whose code would run as you; `chmod go-w` it");
    assert_string_equal(said(0755, 0755, 0644), "");
    assert_int_equal(chown(path, 0, 0), 0);
    assert_string_equal(said(0755, 0775, 0664), ""); /* root's */
}

TEST(a_link_is_followed_and_what_is_missing_is_safe)
{
    char link[80], text[200];
    snprintf(link, sizeof link, "%s/link.so", folder);
    assert_int_equal(symlink(path, link), 0);
    said(0755, 0757, 0644);
    assert_true(plugin_writers_say(link, text, sizeof text));
    assert_non_null(strstr(text, inner));
    assert_int_equal(unlink(link), 0);
    assert_false(plugin_writers_say(link, text, sizeof text));
    assert_string_equal(text, "");
}

RUN_TESTS(open_place, close_place)
