/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/clock/clock.h"
#include "platforms/process/fresh_process.h"
#include "unit_test.h"

static struct fresh_process shell(const char *script, double limit_s)
{
    struct fresh_process process;
    char *const argv[] = {"sh", "-c", (char *)script, NULL};
    fresh_process_run("/bin/sh", argv, limit_s, &process);
    return process;
}

TEST(output_and_status_come_back)
{
    struct fresh_process process = shell("echo one; echo two; echo first >&2; echo second >&2; exit 3", 10);
    assert_int_equal(process.outcome, FRESH_EXITED);
    assert_int_equal(process.detail, 3);
    assert_string_equal(process.output, "one\ntwo\n");
    assert_int_equal(process.length, 8);
    assert_string_equal(process.said, "first");
    free(process.output);
}

TEST(the_last_complaint_is_kept)
{
    struct fresh_process process =
        shell("printf 'progress\\nkneepoint x: one\\n  more\\nkneepoint x: two\\n  rest\\n' >&2", 10);
    assert_string_equal(process.said, "kneepoint x: two");
    free(process.output);
}

TEST(silence_is_no_error)
{
    struct fresh_process process = shell(":", 10);
    assert_int_equal(process.outcome, FRESH_EXITED);
    assert_int_equal(process.detail, 0);
    assert_string_equal(process.output, "");
    assert_string_equal(process.said, "");
    free(process.output);
}

TEST(much_on_both_streams_does_not_block)
{
    struct fresh_process process =
        shell("head -c 3000000 /dev/zero | tr '\\0' e >&2; head -c 3000000 /dev/zero | tr '\\0' o", 20);
    assert_int_equal(process.outcome, FRESH_EXITED);
    assert_int_equal(process.length, 3000000);
    assert_int_equal(strlen(process.said), 500);
    free(process.output);
}

TEST(a_crash_is_named_by_its_signal)
{
    char fate[128];
    struct fresh_process process = shell("echo begun; kill -SEGV $$", 10);
    assert_int_equal(process.outcome, FRESH_CRASHED);
    assert_int_equal(process.detail, SIGSEGV);
    assert_string_equal(process.output, "begun\n");
    fresh_process_fate(&process, fate, sizeof fate);
    assert_string_equal(fate, "crashed: Segmentation fault");
    free(process.output);
}

TEST(a_hang_ends_at_the_limit)
{
    double begin_s = clock_monotonic_s();
    struct fresh_process process = shell("exec sleep 60", 0.2);
    assert_int_equal(process.outcome, FRESH_HUNG);
    free(process.output);
    /* nor does one with its streams closed live on */
    process = shell("exec sleep 60 >&- 2>&-", 0.2);
    assert_int_equal(process.outcome, FRESH_HUNG);
    free(process.output);
    assert_true(clock_monotonic_s() - begin_s < 10);
}

TEST(a_program_that_is_not_there_fails)
{
    char fate[128];
    struct fresh_process process;
    char *const argv[] = {"absent", NULL};
    fresh_process_run("/absent/program", argv, 1, &process);
    assert_int_equal(process.outcome, FRESH_FAILED);
    assert_int_equal(process.detail, ENOENT);
    assert_null(process.output);
    fresh_process_fate(&process, fate, sizeof fate);
    assert_non_null(strstr(fate, "could not be run: No such file"));
}

RUN_TESTS(NULL, NULL)
