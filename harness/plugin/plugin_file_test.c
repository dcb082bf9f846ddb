/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/plugin/plugin.h"
#include "unit_test.h"

struct place {
    char folder[64], path[80], other[80];
    struct plugin_file file;
};

static void write_file(const char *path, const char *mode, const char *text)
{
    FILE *file = fopen(path, mode);
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int open_place(void **state)
{
    static struct place place;
    const char *folder = getenv("TMPDIR");
    snprintf(place.folder, sizeof place.folder, "%.40s/pluginXXXXXX", folder && *folder ? folder : "/tmp");
    assert_non_null(mkdtemp(place.folder));
    snprintf(place.path, sizeof place.path, "%s/a.so", place.folder);
    snprintf(place.other, sizeof place.other, "%s/b.so", place.folder);
    write_file(place.path, "w", "first build");
    assert_int_equal(plugin_file_open(place.path, &place.file), 0);
    *state = &place;
    return 0;
}

static int close_place(void **state)
{
    struct place *place = *state;
    plugin_file_close(&place->file);
    plugin_file_close(&place->file); /* twice is once */
    unlink(place->path);
    unlink(place->other);
    return rmdir(place->folder);
}

TEST_GIVEN_BY(a_file_that_nobody_touched_is_itself, struct place *place, open_place, close_place)
{
    struct plugin_file again;
    assert_true(plugin_file_is(&place->file, place->path));
    assert_false(plugin_file_is_rewritten(&place->file));
    assert_int_equal(plugin_file_open(place->path, &again), 0);
    assert_string_equal(again.hash, place->file.hash);
    plugin_file_close(&again);
}

/* As linkers and install do; the code that was loaded stays what it was. */
TEST_GIVEN_BY(another_file_of_that_name_is_another, struct place *place, open_place, close_place)
{
    write_file(place->other, "w", "first build");
    assert_int_equal(rename(place->other, place->path), 0);
    assert_false(plugin_file_is(&place->file, place->path));
    assert_false(plugin_file_is_rewritten(&place->file));
    unlink(place->path);
    assert_false(plugin_file_is(&place->file, place->path));
}

/* As cp does; the code that was loaded changes with it. */
TEST_GIVEN_BY(a_file_that_is_written_into_is_another, struct place *place, open_place, close_place)
{
    write_file(place->path, "a", ", and more");
    assert_false(plugin_file_is(&place->file, place->path));
    assert_true(plugin_file_is_rewritten(&place->file));
}

/* The same size within one tick of the file system's clock: only its bytes tell. */
TEST_GIVEN_BY(other_bytes_of_the_same_age_are_another, struct place *place, open_place, close_place)
{
    write_file(place->path, "r+", "other");
    assert_int_equal(
        futimens(place->file.fd, (struct timespec[]){place->file.opened.st_atim, place->file.opened.st_mtim}), 0);
    assert_false(plugin_file_is_rewritten(&place->file));
    assert_false(plugin_file_is(&place->file, place->path));
}

TEST_GIVEN_BY(what_cannot_be_read_is_not_open, struct place *place, open_place, close_place)
{
    struct plugin_file file;
    assert_int_equal(plugin_file_open(place->other, &file), -ENOENT);
    assert_int_equal(plugin_file_open(place->folder, &file), -EISDIR);
    assert_int_equal(mkfifo(place->other, 0600), 0); /* without a writer */
    assert_int_equal(plugin_file_open(place->other, &file), -ENOEXEC);
    assert_int_equal(file.fd, -1);
}

RUN_TESTS(NULL, NULL)
