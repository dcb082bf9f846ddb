/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/process/child_execute.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit_test.h"

enum { LIMIT_MS = 20000, SHORT_MS = 100, NOT_OPEN = 1 << 20 };

static int run(const char *const *arguments, int input, int output, unsigned limit_ms, struct child_result *result)
{
    const struct child_program program = {(char *const *)(uintptr_t)arguments, NULL, input, output};
    return child_execute(&program, limit_ms, result);
}

TEST(how_it_ended_is_told)
{
    struct child_result result;
    assert_int_equal(run((const char *[]){"sh", "-c", "echo $LC_ALL", NULL}, -1, -1, LIMIT_MS, &result), 0);
    assert_string_equal(result.printed, "C\n");
    assert_int_equal(run((const char *[]){"sh", "-c", "echo no >&2; exit 127", NULL}, -1, -1, LIMIT_MS, &result),
                     CHILD_PROGRAM_FAILED);
    assert_string_equal(result.printed, "no\n");
    assert_int_equal(run((const char *[]){"sh", "-c", "kill -9 $$", NULL}, -1, -1, LIMIT_MS, &result),
                     CHILD_PROGRAM_FAILED);
    assert_int_equal(run((const char *[]){"sleep", "100", NULL}, -1, -1, SHORT_MS, &result), -ETIME);
}

TEST(what_cannot_be_executed_is_told_by_errno)
{
    struct child_result result;
    assert_int_equal(run((const char *[]){"no-such-program", NULL}, -1, -1, LIMIT_MS, &result), -ENOENT);
    assert_int_equal(run((const char *[]){"/", NULL}, -1, -1, LIMIT_MS, &result), -EACCES);
    assert_int_equal(run((const char *[]){"true", NULL}, NOT_OPEN, -1, LIMIT_MS, &result), -EBADF);
    assert_int_equal(run((const char *[]){"true", NULL}, -1, NOT_OPEN, LIMIT_MS, &result), -EBADF);
}

TEST(descriptors_are_its_input_and_output)
{
    char text[8] = "";
    struct child_result result;
    int input = memfd_create("input", MFD_CLOEXEC), output = memfd_create("output", MFD_CLOEXEC);
    assert_int_equal(write(input, "abc", 3), 3);
    assert_int_equal(lseek(input, 0, SEEK_SET), 0);
    assert_int_equal(run((const char *[]){"cat", NULL}, input, output, LIMIT_MS, &result), 0);
    assert_int_equal(pread(output, text, sizeof text, 0), 3);
    assert_string_equal(text, "abc");
    assert_string_equal(result.printed, "");
    close(input);
    close(output);
}

RUN_TESTS(NULL, NULL)
