/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "harness/command/command.h"
#include "harness/selftest/selftest.h"
#include "unit_test.h"

TEST(a_judged_line_carries_its_number)
{
    struct selftest_line line = {.name = "x"};
    selftest_judge(&line, true, 1.5, "ns", "%d of %d", 3, 4);
    assert_int_equal(line.verdict, SELFTEST_PASS);
    assert_true(line.value == 1.5);
    assert_string_equal(line.unit, "ns");
    assert_string_equal(line.detail, "3 of 4");
    selftest_judge(&line, false, 1.5, "ns", "no");
    assert_int_equal(line.verdict, SELFTEST_FAIL);
}

TEST(what_could_not_be_measured_does_not_pass)
{
    struct selftest_line line = {.name = "x"};
    selftest_judge(&line, true, NAN, "ns", "nothing came out");
    assert_int_equal(line.verdict, SELFTEST_FAIL);
    selftest_unavailable(&line, "no %s", "PMU");
    assert_int_equal(line.verdict, SELFTEST_UNAVAILABLE);
    assert_true(isnan(line.value));
    assert_string_equal(line.detail, "no PMU");
}

TEST(close_is_relative_to_the_second)
{
    assert_true(selftest_close(1001, 1000, 0.001));
    assert_false(selftest_close(1001.1, 1000, 0.001));
    assert_true(selftest_close(999, 1000, 0.001));
    assert_false(selftest_close(998.9, 1000, 0.001));
    assert_true(selftest_close(-1001, -1000, 0.001));
    assert_false(selftest_close(0, 0, 0.1)); /* nothing was expected: nothing is proven */
    assert_false(selftest_close(NAN, 1000, 0.1));
    assert_false(selftest_close(1000, NAN, 0.1));
    assert_false(selftest_close(INFINITY, 1000, 0.1));
}

TEST(one_failure_fails_and_the_untested_does_not)
{
    struct selftest_line lines[3] = {{.verdict = SELFTEST_PASS}, {.verdict = SELFTEST_UNAVAILABLE}, {0}};
    assert_int_equal(selftest_exit_code(lines, 0), EXIT_DONE);
    assert_int_equal(selftest_exit_code(lines, 3), EXIT_DONE);
    lines[2].verdict = SELFTEST_FAIL;
    assert_int_equal(selftest_exit_code(lines, 3), EXIT_CHECK_FAILED);
    assert_int_equal(selftest_exit_code(lines, 2), EXIT_DONE);
}

TEST(a_record_says_null_for_no_number)
{
    struct selftest_line line = {.name = "timer", .claim = "it resolves", .unit = "ns", .value = 27};
    strcpy(line.detail, "27 ns");
    json_auto_t *record = selftest_record(&line);
    assert_string_equal(json_string_value(json_object_get(record, "type")), "selftest");
    assert_string_equal(json_string_value(json_object_get(record, "verdict")), "pass");
    assert_true(json_number_value(json_object_get(record, "value")) == 27);
    json_decref(record);
    selftest_unavailable(&line, "no reason");
    record = selftest_record(&line);
    assert_true(json_is_null(json_object_get(record, "value")));
    assert_string_equal(json_string_value(json_object_get(record, "verdict")), "unavailable");
    assert_string_equal(json_string_value(json_object_get(record, "detail")), "no reason");
}

static void say_nothing(struct session *session, struct selftest_line *line)
{
    (void)session, (void)line;
}

/** A check that forgets to judge must not pass. */
TEST(a_check_that_says_nothing_is_not_a_pass)
{
    const struct selftest_check check = {"mute", "nothing", false, say_nothing};
    struct selftest_line line;
    selftest_run(&check, NULL, &line);
    assert_string_equal(line.name, "mute");
    assert_int_equal(line.verdict, SELFTEST_UNAVAILABLE);
}

TEST(checks_have_names_of_their_own)
{
    static const struct selftest_check *const parts[] = {selftest_clock_checks, selftest_silence_checks,
                                                         selftest_counters_checks};
    const char *names[64];
    size_t count = 0;
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        for (const struct selftest_check *check = parts[p]; check->name; check++) {
            assert_non_null(check->claim);
            assert_non_null(check->run);
            for (size_t i = 0; i < count; i++)
                assert_string_not_equal(check->name, names[i]);
            names[count++] = check->name;
        }
    }
    assert_true(count >= 16);
}

TEST(reserved_pages_count_where_transparent_ones_are_off)
{
    const struct host_facts never = {.thp_enabled = "never"};
    const struct memory_block reserved = {.pages = MEMORY_HUGETLB}, asked = {.pages = MEMORY_THP};
    struct selftest_line line = {.name = "huge_pages"};
    selftest_judge_pages(&never, &reserved, &line);
    assert_int_equal(line.verdict, SELFTEST_PASS);
    assert_string_equal(line.detail, "100% of 64 MiB lie on huge pages (hugetlb)");
    selftest_judge_pages(&never, &asked, &line);
    assert_int_equal(line.verdict, SELFTEST_UNAVAILABLE);
}

RUN_TESTS(NULL, NULL)
