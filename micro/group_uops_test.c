/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GROUP_UOPS of every sequence against its disassembled group, of this architecture and, where they were cross-built
 * and their objdump is there, of aarch64; and against what the first comment of its source says, of both.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <glob.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "micro/disassembly.h"

static uint32_t uops_of(const struct code *code)
{
    uint32_t uops = 0;
    for (size_t i = 0; i < code->count; i++)
        uops += instruction_uops(&code->at[i]);
    return uops;
}

/** @return whether the object's GROUP_UOPS is what its group counts */
static bool states_its_uops(const char *program, const char *object)
{
    struct code code;
    uint64_t stated = 0;
    bool whole =
        disassembly_group(program, object, &code) && disassembly_symbol(program, object, "group_uops", &stated);
    uint32_t counted = whole ? uops_of(&code) : 0;
    free(code.at);
    if (!whole)
        print_error("%s: objdump finds no group\n", object);
    else if (counted != stated)
        print_error("%s: GROUP_UOPS is %u, its code %u\n", object, (unsigned)stated, counted);
    return whole && counted == stated;
}

static bool is_older(const char *object, const char *source)
{
    struct stat made, written;
    return stat(object, &made) == 0 && stat(source, &written) == 0 &&
           (made.st_mtim.tv_sec < written.st_mtim.tv_sec ||
            (made.st_mtim.tv_sec == written.st_mtim.tv_sec && made.st_mtim.tv_nsec < written.st_mtim.tv_nsec));
}

/** Whether the object is older than its source or the frame. make has those of this architecture new, but builds another's only for all tests. */
static bool is_stale(const char *folder, const char *object)
{
    char source[PATH_MAX];
    snprintf(source, sizeof source, "%.*s.S", (int)(strlen(object) - strlen(folder) - strlen("/.o")),
             object + strlen(folder) + 1);
    return is_older(object, source) || is_older(object, "micro/sequences/sequence_frame.h");
}

/** All sequences of an architecture below a folder of built objects. @return how many there are */
static size_t check_sequences(const char *folder, const char *architecture)
{
    char pattern[PATH_MAX];
    glob_t found;
    size_t wrong = 0, count = 0;
    const char *program = disassembly_program(architecture);
    snprintf(pattern, sizeof pattern, "%s/micro/{*,*/*}/*.*.*.o", folder);
    if (!program[0] || glob(pattern, GLOB_BRACE, NULL, &found) != 0)
        return 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (strstr(found.gl_pathv[i], ".reference.o") || strstr(found.gl_pathv[i], ".microkernel.o") ||
            is_stale(folder, found.gl_pathv[i]))
            continue;
        wrong += !states_its_uops(program, found.gl_pathv[i]);
        count++;
    }
    globfree(&found);
    assert_int_equal(wrong, 0);
    return count;
}

static void group_uops_are_those_of_the_code(void **state)
{
    (void)state;
    char folder[PATH_MAX];
    disassembly_build_folder(folder, sizeof folder);
#if defined __aarch64__
    assert_true(check_sequences(folder, "aarch64") > 0);
#else
    assert_true(check_sequences(folder, "x86_64") > 0);
#endif
}

static void group_uops_of_aarch64_are_those_of_the_code(void **state)
{
    (void)state;
    if (check_sequences("build/aarch64", "aarch64") == 0) {
        print_message(
            "# not on this machine: no new aarch64 objects in build/aarch64, or no aarch64-linux-gnu-objdump\n");
        skip();
    }
}

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

/** Whether "<number> uops<rest>", behind a character, agrees with GROUP_UOPS. */
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

/** @return whether all that a comment, in one line, says of uops agrees with GROUP_UOPS */
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
            print_error("GROUP_UOPS is %lu, and the first comment says '%.40s'\n", stated, number);
            return false;
        }
    }
    return true;
}

static bool source_agrees(const char *path)
{
    static char text[1 << 16], comment[COMMENT_MOST];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    take_comment(text, comment);
    const char *define = strstr(text, "#define GROUP_UOPS ");
    bool agrees = define && comment_agrees(comment, strtoul(define + strlen("#define GROUP_UOPS "), NULL, 10));
    if (!agrees)
        print_error("%s: see GROUP_UOPS in micro/sequences/sequence_frame.h\n", path);
    return agrees;
}

static void comments_state_group_uops(void **state)
{
    (void)state;
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

static void a_total_in_a_comment_that_is_another_is_found(void **state)
{
    (void)state;
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

static void instructions_count_as_the_front_end_issues_them(void **state)
{
    (void)state;
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

/** Uops of what is executed of so many lines; 0 if its loops cannot be followed. */
static uint32_t executed_uops(const char *const *lines, size_t count)
{
    struct instruction at[8];
    struct code code = {at, count}, executed;
    for (size_t i = 0; i < count; i++) {
        char line[128];
        snprintf(line, sizeof line, "%s", lines[i]);
        assert_true(disassembly_line(line, &at[i]));
    }
    uint32_t uops = disassembly_execute(&code, &executed) ? uops_of(&executed) : 0;
    free(executed.at);
    return uops;
}

static void loops_count_as_often_as_they_run(void **state)
{
    (void)state;
    static const char *const nested[] = {"   0:\tmov    ah,0x3",
                                         "   2:\tmov    al,0x4",
                                         "   4:\tvpaddd ymm1,ymm1,ymm2",
                                         "   8:\tdec    al",
                                         "   a:\tjne    4 <group_begin+4>",
                                         "   c:\tdec    ah",
                                         "   e:\tjne    2 <group_begin+2>"};
    assert_int_equal(executed_uops(nested, 7), 1 + 3 * (1 + 4 * 2 + 1));
    static const char *const other_jump[] = {"   0:\tmov    al,0x4", "   2:\tdec    al",
                                             "   4:\tjb     2 <group_begin+2>"};
    static const char *const no_dec[] = {"   0:\tmov    al,0x4", "   2:\tsub    al,0x1",
                                         "   4:\tjne    2 <group_begin+2>"};
    static const char *const endless[] = {"   0:\tmov    al,0x4", "   2:\tdec    al", "   4:\tjne    0 <group_begin>"};
    assert_int_equal(executed_uops(other_jump, 3), 0);
    assert_int_equal(executed_uops(no_dec, 3), 0);
    assert_int_equal(executed_uops(endless, 3), 0);
}

static void operands_are_told_apart(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands_are_told_apart),
        cmocka_unit_test(instructions_count_as_the_front_end_issues_them),
        cmocka_unit_test(loops_count_as_often_as_they_run),
        cmocka_unit_test(a_total_in_a_comment_that_is_another_is_found),
        cmocka_unit_test(comments_state_group_uops),
        cmocka_unit_test(group_uops_are_those_of_the_code),
        cmocka_unit_test(group_uops_of_aarch64_are_those_of_the_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
