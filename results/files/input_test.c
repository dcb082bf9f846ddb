/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a user names as a file may be anything: a pipe, a device, a folder, a line without an end.
 */
#include "results/files/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "results/records/run_testing.h"
#include "unit_test.h"

TEST_WITH(lines_come_one_by_one, set_up, tear_down)
{
    put_file("lines", "first\n\nlast");
    FILE *file;
    char *line = NULL;
    size_t capacity = 0, length;
    assert_int_equal(input_open("lines", &file), 0);
    static const char *const expected[] = {"first\n", "\n", "last"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(input_line(file, &line, &capacity, &length), 1);
        assert_string_equal(line, expected[i]);
        assert_int_equal(length, strlen(expected[i]));
    }
    assert_int_equal(input_line(file, &line, &capacity, &length), 0);
    free(line);
    fclose(file);
}

/** As gzip packs it, without its last so many bytes. */
static void put_packed(const char *path, const char *text, size_t lost)
{
    struct stat status;
    gzFile packed = gzopen(path, "w");
    assert_int_equal(gzputs(packed, text), strlen(text));
    assert_int_equal(gzclose(packed), Z_OK);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(truncate(path, status.st_size - (off_t)lost), 0);
}

/** @return what input_line says after the lines that it has */
static int end_of(const char *path, size_t *lines)
{
    FILE *file;
    char *line = NULL;
    size_t capacity = 0, length;
    int more;
    assert_int_equal(input_open(path, &file), 0);
    for (*lines = 0; (more = input_line(file, &line, &capacity, &length)) > 0; (*lines)++)
        assert_string_equal(line, *lines ? "last" : "first\n");
    free(line);
    fclose(file);
    return more;
}

TEST_WITH(what_gzip_packed_is_unpacked, set_up, tear_down)
{
    size_t lines;
    put_packed("lines.gz", "first\nlast", 0);
    assert_int_equal(end_of("lines.gz", &lines), 0);
    assert_int_equal(lines, 2);
    put_packed("lines.gz", "first\nlast", 6); /* of the sum and the length at its end */
    assert_int_equal(end_of("lines.gz", &lines), -EBADMSG);
    assert_non_null(strstr(input_error(-EBADMSG), "gzip -t"));
    put_packed("lines.gz", "first\nlast", 20);
    assert_int_equal(end_of("lines.gz", &lines), -EBADMSG);
    /* a document is read from its beginning again */
    FILE *file;
    put_packed("whole.gz", "[1]", 0);
    assert_int_equal(input_open_whole("whole.gz", &file), 0);
    rewind(file);
    json_t *document;
    assert_int_equal(input_json_of(file, 0, &document, NULL, 0), 0);
    assert_int_equal(json_array_size(document), 1);
    json_decref(document);
    fclose(file);
}

/** @return what the last call of input_line says of one line of so many bytes */
static int line_of(size_t bytes, size_t *length)
{
    FILE *file = fopen("long", "w");
    assert_non_null(file);
    for (size_t i = 0; i < bytes; i++)
        putc_unlocked('x', file);
    assert_int_equal(fclose(file), 0);
    char *line = NULL;
    size_t capacity = 0;
    assert_int_equal(input_open("long", &file), 0);
    int more = input_line(file, &line, &capacity, length);
    free(line);
    fclose(file);
    return more;
}

TEST_WITH(a_line_has_a_most, set_up, tear_down)
{
    size_t length;
    assert_int_equal(line_of(INPUT_LINE_MOST, &length), 1);
    assert_int_equal(length, INPUT_LINE_MOST);
    assert_int_equal(line_of(INPUT_LINE_MOST + 1, &length), -EFBIG);
    assert_non_null(strstr(input_error(-EFBIG), "longer"));
}

TEST_WITH(what_has_no_end_is_refused, set_up, tear_down)
{
    FILE *file;
    char why[256];
    assert_int_equal(input_open("/dev/zero", &file), -ENODEV);
    assert_null(file);
    assert_int_equal(input_open(".", &file), -EISDIR);
    assert_int_equal(input_open("absent", &file), -ENOENT);
    assert_null(input_json("/dev/zero", why, sizeof why));
    assert_string_equal(why, "cannot be read: it is a device or a socket; name a file");
}

TEST_WITH(a_pipe_is_read_and_one_without_a_writer_is_empty, set_up, tear_down)
{
    FILE *file;
    char *line = NULL, path[64];
    size_t capacity = 0, length;
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_int_equal(input_open("fifo", &file), 0);
    assert_int_equal(input_line(file, &line, &capacity, &length), 0);
    fclose(file);

    int ends[2];
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(input_open(path, &file), 0);
    assert_false(fcntl(fileno(file), F_GETFL) & O_NONBLOCK); /* it waits for its writer */
    assert_int_equal(write(ends[1], "said\n", 5), 5);
    close(ends[1]);
    assert_int_equal(input_line(file, &line, &capacity, &length), 1);
    assert_string_equal(line, "said\n");
    free(line);
    fclose(file);
    close(ends[0]);
}

TEST_WITH(a_pipe_is_read_again_from_its_beginning, set_up, tear_down)
{
    FILE *file;
    char path[64], text[8];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(write(ends[1], "one\ntwo\n", 8), 8);
    close(ends[1]);
    assert_int_equal(input_open_whole(path, &file), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fread(text, 1, sizeof text, file), 8);
        assert_memory_equal(text, "one\ntwo\n", 8);
        rewind(file);
    }
    fclose(file);
    close(ends[0]);
    put_file("whole", "three");
    assert_int_equal(input_open_whole("whole", &file), 0);
    assert_int_equal(fread(text, 1, sizeof text, file), 5);
    fclose(file);
    assert_int_equal(input_open_whole("absent", &file), -ENOENT);
}

TEST_WITH(a_document_says_where_it_is_wrong, set_up, tear_down)
{
    char why[256];
    put_file("good", "{\"a\": 1}");
    put_file("bad", "{\n\"a\": 1\n");
    json_t *good = input_json("good", why, sizeof why);
    assert_int_equal(json_integer_value(json_object_get(good, "a")), 1);
    json_decref(good);
    assert_null(input_json("bad", why, sizeof why));
    assert_ptr_equal(strstr(why, "line 3: "), why);
    assert_null(input_json("absent", why, sizeof why));
    assert_string_equal(why, "cannot be read: No such file or directory");
    assert_null(input_json("absent", NULL, 0));
}

TEST_WITH(an_error_of_reading_is_no_error_of_the_document, set_up, tear_down)
{
    char why[256];
    json_t *document;
    FILE *file = fopen(".", "re");
    assert_non_null(file);
    assert_int_equal(input_json_of(file, 0, &document, why, sizeof why), -EISDIR);
    assert_string_equal(why, "cannot be read: Is a directory");
    assert_null(document);
    fclose(file);
}

RUN_TESTS(NULL, NULL)
