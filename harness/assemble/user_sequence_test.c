/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "harness/check/items/sequence_check.h"
#include "harness/user/user_sequences.h"
#include "unit_test.h"

#define FACTS                                                                                                          \
    "#define FORMAT \"two\"\n  #  define SEQUENCE   \"mine\"  /* ours */\n#define BYTES 8.0\n#define GROUP_DOTS 4\n"   \
    "#define GROUP_UOPS 9\n#define LEAST 4\n#define MOST 4\n#include \"micro/sequences/sequence_frame.h\"\n"
#define MACROS                                                                                                         \
    ".macro load_constants\n.endm\n.macro load_weights base, offset\n.endm\n.macro group\n.endm\n"                     \
    "  .macro dot_into number, operand\n.endm\n"
#define END ".macro dot_facts\n.endm\n    sequence_functions\n"

static int read_facts(const char *path, const char *text, struct user_facts *facts, char *why)
{
    return user_facts_read(path, text, facts, why, USER_SEQUENCE_WHY);
}

TEST(facts_are_read)
{
    struct user_facts facts;
    char why[USER_SEQUENCE_WHY];
    assert_int_equal(read_facts("a/b.c/mine.avx2.S", FACTS MACROS END, &facts, why), 0);
    assert_string_equal(facts.name, "two.mine.avx2");
    assert_string_equal(facts.isa, "avx2");
    assert_false(facts.referenced);
    assert_int_equal(read_facts("mine.S", "#define ISA \"avx_vnni\"\n" FACTS MACROS END, &facts, why), 0);
    assert_string_equal(facts.name, "two.mine.avx_vnni");
    /* the name of the file says more than the fact */
    assert_int_equal(read_facts("two.mine.avx2.S", "#define ISA \"avx_vnni\"\n" FACTS MACROS END, &facts, why), 0);
    assert_string_equal(facts.isa, "avx2");
    /* a folder's name is no part of the file's */
    assert_int_equal(read_facts("dir.avx2.S/mine", FACTS MACROS END, &facts, why), -EINVAL);
    assert_int_equal(read_facts("mine.avx2.S",
                                FACTS MACROS "#else\nvoid sequence_reference(\n#endif\n    sequence_functions\n",
                                &facts, why),
                     0);
    assert_true(facts.referenced);
}

TEST(a_name_of_three_parts_says_format_and_sequence)
{
    struct user_facts facts;
    char why[USER_SEQUENCE_WHY], text[4096];
    snprintf(text, sizeof text, "%s", strstr(FACTS MACROS END, "#define BYTES"));
    assert_int_equal(read_facts("./four-0.mask_2.avx2.S", text, &facts, why), 0);
    assert_string_equal(facts.name, "four-0.mask_2.avx2");
    assert_int_equal(read_facts("four.mask.copy.avx2.S", text, &facts, why), -EINVAL);
    assert_int_equal(read_facts("mask.avx2.S", text, &facts, why), -EINVAL);
    assert_int_equal(read_facts("four 0.mask.avx2.S", text, &facts, why), -EINVAL);
    snprintf(text, sizeof text, "#define FORMAT two\n%s", strstr(FACTS MACROS END, "#define BYTES"));
    assert_int_equal(read_facts("four.mask.avx2.S", text, &facts, why), -EINVAL); /* what is stated has to fit */
}

TEST(what_is_missing_is_named)
{
    static const struct {
        const char *text, *expected;
    } table[] = {
        {"", "x.avx2.S states no FORMAT: "},
        {"#define FORMATS \"two\"\n", "x.avx2.S states no FORMAT: "},
        {"#define FORMAT two\n", "x.avx2.S states no FORMAT: "},
        {"#define FORMAT \"two ways\"\n", "x.avx2.S states no FORMAT: "},
        {"#define FORMAT \"two\"\n", "x.avx2.S states no SEQUENCE: "},
        {"#define FORMAT \"two\"\n#define SEQUENCE \"mine\"\n", "x.avx2.S states no BYTES: "},
        {FACTS, "x.avx2.S states no load_constants: "},
        {FACTS MACROS, "x.avx2.S states no scalar result: "},
        {FACTS MACROS ".macro dot_facts\n.endm\n", "x.avx2.S states no sequence_functions: "},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct user_facts facts;
        char why[USER_SEQUENCE_WHY];
        assert_int_equal(read_facts("x.avx2.S", table[i].text, &facts, why), -EINVAL);
        if (strncmp(why, table[i].expected, strlen(table[i].expected)) != 0)
            fail_msg("'%s' is not '%s'", why, table[i].expected);
        assert_null(strchr(why, '\n'));
    }
}

TEST(an_isa_that_is_none_is_refused)
{
    struct user_facts facts;
    char why[USER_SEQUENCE_WHY];
    assert_int_equal(read_facts("x.S", "#define ISA \"avx3\"\n" FACTS MACROS END, &facts, why), -EINVAL);
    assert_non_null(strstr(why, "x.S is for 'avx3', which is no instruction set"));
    assert_int_equal(read_facts("x.S", "#define ISA \"reference\"\n" FACTS MACROS END, &facts, why), -EINVAL);
    assert_int_equal(read_facts("x.S", FACTS MACROS END, &facts, why), -EINVAL);
    assert_non_null(strstr(why, "x.S states no ISA"));
}

TEST(files_are_told_from_names)
{
    assert_true(user_sequences_is_file("./mine.S"));
    assert_true(user_sequences_is_file("mine.S"));
    assert_true(user_sequences_is_file("dir/mine"));
    assert_false(user_sequences_is_file("int2_vnni4.mask"));
    assert_false(user_sequences_is_file(".S"));
    assert_false(user_sequences_is_file(""));
}

static void expect(const struct sequence_report *report, enum worker_outcome outcome, int detail, const char *expected)
{
    struct worker_result worker = {.outcome = outcome, .detail = detail};
    char why[USER_SEQUENCE_WHY];
    sequence_report_describe(report, &worker, "x.S", why, sizeof why);
    assert_string_equal(why, expected);
}

TEST(ends_are_told_apart)
{
    struct sequence_report report = {.accumulators = 3, .code = SEQUENCE_CODE_STREAM, .values = "random values"};
    expect(&report, WORKER_HUNG, 0,
           "x.S does not end: the stream with 3 accumulators still ran after 10 s, and was stopped (random values)");
    expect(&report, WORKER_EXITED, 5,
           "x.S ended the process that checked it, with status 5, in the stream with 3 accumulators");
    expect(&report, WORKER_CRASHED, SIGKILL,
           "x.S: its process ended with signal 9 (Killed) in the stream with 3 accumulators");
    report.verdict = SEQUENCE_RIGHT;
    expect(&report, WORKER_RETURNED, 0, "");
    report.verdict = SEQUENCE_WRONG;
    report.wrong = 7;
    report.first = (struct sequence_difference){2, 5, 1.5, -40};
    expect(&report, WORKER_RETURNED, 0,
           "x.S is wrong: the stream with 3 accumulators, random values: accumulator 2 lane 5 is 1.5, not -40 (7 lanes "
           "differ)");
    report.verdict = SEQUENCE_FAULTY;
    report.fault = (struct checked_call_report){.fault = CALL_CLOBBERED, .registers = {"rbx", "rsp"}};
    expect(&report, WORKER_RETURNED, 0,
           "x.S: did not restore rbx, rsp in the stream with 3 accumulators (random values)");
    report.fault = (struct checked_call_report){.fault = CALL_ILLEGAL};
    report.inside = true;
    report.offset = 0x40;
    memcpy(report.bytes, "\x0f\x0b\xc3\x90", 4);
    expect(&report, WORKER_RETURNED, 0,
           "x.S: illegal instruction (0f 0b c3 90) at byte 0x40 of the stream with 3 accumulators (random values)");
    report.fault = (struct checked_call_report){.fault = CALL_SEGV};
    report.inside = false;
    expect(&report, WORKER_RETURNED, 0,
           "x.S: touched memory at an invalid address, outside the code of the stream with 3 accumulators (random "
           "values)");
}

RUN_TESTS(NULL, NULL)
