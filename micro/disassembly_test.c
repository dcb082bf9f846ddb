/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is read of objdump's lines, and how uops are counted; the first comment of each sequence in assembly against the uops that were counted of it.
 */
#include <ctype.h>
#include <glob.h>

#include "micro/disassembly.h"
#include "micro/sequence.h"
#include "unit_test.h"

/* ---- what the first comment says: the rule is beside GROUP_UOPS in micro/sequences/sequence_frame.h ---- */

enum { COMMENT_MOST = 8192 };

/** The first comment of a text in one line: no line ends and no stars at the left. */
static void take_comment(const char *text, char *comment)
{
    const char *at = strstr(text, "/*"), *end = at ? strstr(at, "*/") : NULL;
    size_t length = 0;
    for (; end && at < end && length < COMMENT_MOST - 1; at++) {
        if (*at == '\n') {
            at += strspn(at, "\n *") - 1;
            comment[length++] = ' ';
        } else
            comment[length++] = *at;
    }
    comment[length] = '\0';
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/** The sum of "9 of arithmetic, 2 loads" up to the end of the sentence. */
static unsigned long sum_of_parts(const char *parts)
{
    unsigned long sum = 0;
    for (const char *at = parts; *at && *at != '.'; at++) {
        if (at[0] == ' ' && isdigit((unsigned char)at[1]))
            sum += strtoul(at, NULL, 10);
    }
    return sum;
}

/** Whether "<number> uops<rest>", after a character, agrees with what is counted. */
static bool number_agrees(char before, unsigned long number, const char *rest, const char *comment,
                          unsigned long stated)
{
    char issued[64];
    if (begins(rest, " issued:"))
        return number == stated && sum_of_parts(rest + strlen(" issued:")) == stated;
    if (begins(rest, " of arithmetic")) {
        snprintf(issued, sizeof issued, "%lu uops issued: %lu of arithmetic", stated, number);
        return strstr(comment, issued) != NULL;
    }
    if (begins(rest, " on "))
        return number <= stated;
    return number == stated || !strchr(".:;,", before);
}

/** @return whether all that a comment, in one line, says of uops agrees with what is counted */
static bool comment_agrees(const char *comment, unsigned long stated)
{
    for (const char *uops = strstr(comment, " uops"); uops; uops = strstr(uops + 1, " uops")) {
        const char *number = uops;
        while (number > comment && isdigit((unsigned char)number[-1]))
            number--;
        const char *before = number;
        while (before > comment && before[-1] == ' ')
            before--;
        bool fraction = number > comment && number[-1] == '.';
        if (number < uops && before > comment && !fraction &&
            !number_agrees(before[-1], strtoul(number, NULL, 10), uops + strlen(" uops"), comment, stated)) {
            print_error("%lu uops are counted, and the first comment says '%.40s'\n", stated, number);
            return false;
        }
    }
    return true;
}

/** Whether the source of a sequence agrees with what was counted of it; one of another architecture is not in this program. */
static bool source_agrees(const char *path)
{
    static char text[1 << 16], comment[COMMENT_MOST], name[256];
    snprintf(name, sizeof name, "%.*s", (int)strlen(strrchr(path, '/') + 1) - 2, strrchr(path, '/') + 1);
    const struct sequence *sequence = sequence_find(name);
    if (!sequence)
        return true;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    take_comment(text, comment);
    bool agrees = comment_agrees(comment, sequence->group_uops);
    if (!agrees)
        print_error("%s: see GROUP_UOPS in micro/sequences/sequence_frame.h\n", path);
    return agrees;
}

TEST(comments_say_what_is_counted)
{
    glob_t found;
    size_t wrong = 0;
    if (glob("micro/{*,*/*}/*.*.*.S", GLOB_BRACE, NULL, &found) != 0) {
        print_message("# not on this machine: no sources beside the program\n");
        skip();
    }
    for (size_t i = 0; i < found.gl_pathc; i++)
        wrong += !source_agrees(found.gl_pathv[i]);
    globfree(&found);
    assert_int_equal(wrong, 0);
}

TEST(a_total_in_a_comment_that_is_another_is_found)
{
    static const char *const right[] = {
        "16 more. 50 uops for 256 weights.",
        "scales of 8 rows: 5. 41 uops of arithmetic. 50 uops issued: 41 of arithmetic, 9 loads.",
        "Zen 3: 41 uops on four pipes.", "vpmulld (2 uops), products of 5 uops; int2.mask takes 17 uops a vector.",
        "a window of 512 uops, 0.04 uops less"};
    static const char *const wrong[] = {"16 more. 41 uops for 256 weights.",
                                        "2 to join: 41 uops, and 9 loads",
                                        "41 uops of arithmetic and 9 loads.",
                                        "51 uops on p015",
                                        "; 51 uops on p015",
                                        "50 uops issued: 41 of arithmetic, 8 loads.",
                                        "49 uops issued: 41 of arithmetic, 8 loads."};
    char comment[COMMENT_MOST], text[COMMENT_MOST];
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_true(comment_agrees(right[i], 50));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, "/* A group:\n * %s\n */", wrong[i]);
        take_comment(text, comment);
        assert_false(comment_agrees(comment, 50));
    }
}

static uint32_t uops_of_line(const char *text)
{
    char line[128];
    struct instruction instruction;
    snprintf(line, sizeof line, "   0:\t%s\n", text);
    assert_true(disassembly_line(line, &instruction));
    return instruction_uops(&instruction);
}

TEST(instructions_count_as_the_front_end_issues_them)
{
    assert_int_equal(uops_of_line("vpand  ymm1,ymm2,YMMWORD PTR [rip+0x0]        # 7 <x>"), 1);
    assert_int_equal(uops_of_line("{vex} vpdpbusd ymm1,ymm2,ymm3"), 1);
    assert_int_equal(uops_of_line("vmovdqa64 zmm1,zmm2"), 1);
    assert_int_equal(uops_of_line("vpblendvb ymm1,ymm2,ymm3,ymm4"), 3);
    assert_int_equal(uops_of_line("vcvtph2ps ymm1,xmm2"), 2);
    assert_int_equal(uops_of_line("vcvtph2ps ymm1,XMMWORD PTR [rsi]"), 1);
    assert_int_equal(uops_of_line("vpsrlw ymm1,ymm2,xmm3"), 2);
    assert_int_equal(uops_of_line("vpsrlw ymm1,ymm2,0x4"), 1);
    assert_int_equal(uops_of_line("vpsrlvd ymm1,ymm2,ymm3"), 1);
    assert_int_equal(uops_of_line("ldp\tq1, q2, [x0, #16]"), 2);
}

TEST(operands_are_told_apart)
{
    struct instruction instruction;
    char line[] = "  1f:\tvpternlogd zmm1{k1}{z},zmm2,ZMMWORD PTR [rdi+rax*1+0x40],0xea\n";
    assert_true(disassembly_line(line, &instruction));
    assert_int_equal(instruction.address, 0x1f);
    assert_string_equal(instruction.mnemonic, "vpternlogd");
    assert_int_equal(instruction.operands, 4);
    assert_string_equal(instruction.operand[0], "zmm1{k1}{z}");
    assert_true(operand_is_memory(instruction.operand[2]));
    assert_string_equal(instruction.operand[3], "0xea");
    char lane[] = "   0:\tsdot\tv1.4s, v2.16b, v3.4b[1]\n";
    assert_true(disassembly_line(lane, &instruction));
    assert_int_equal(instruction.operands, 3);
    assert_false(instruction_has_memory(&instruction));
}

RUN_TESTS(NULL, NULL)
