/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "harness/cmd/explain/explain_command.h"
#include "unit_test.h"

TEST(registers_are_named_in_ranges)
{
    char text[200];
    assert_string_equal(
        explain_registers("vpand %ymm20,%ymm30,%ymm6\nvpdpbusd %zmm0,%zmm1,%zmm2\nkmovq %rax,%k1\n", text, sizeof text),
        "ymm6 ymm20 ymm30 zmm0-2 k1");
    assert_string_equal(explain_registers("sdot v3.4s, v1.16b, v2.4b[1]\nld1b {z4.b}, p0/z, [x1]", text, sizeof text),
                        "v1-3 z4 p0");
    assert_string_equal(explain_registers("dec %r9\nadd $0x40,%rsi", text, sizeof text), "");
    assert_string_equal(explain_registers("", text, sizeof text), "");
    assert_string_equal(explain_registers("xmm99 ymmx", text, sizeof text), "");
}

TEST(a_loop_is_cut_to_what_it_repeats)
{
    char code[] = "a\nb\na\nb\na\nb\ndec\n", uneven[] = "a\nb\na\nb\na\ndec\n", one[] = "a\ndec\n";
    assert_true(explain_cut(code, 3));
    assert_string_equal(code, "a\nb\n");
    assert_false(explain_cut(uneven, 3));
    assert_string_equal(uneven, "a\nb\na\nb\na\ndec\n");
    assert_false(explain_cut(one, 1));
    assert_string_equal(one, "a\ndec\n");
}

TEST(the_first_comment_is_read_without_its_marks)
{
    char notes[200];
    source_first_comment("/* SPDX-License-Identifier: BSD-3-Clause\n *\n * One.\n *   two\n *\n */\n/* other */", notes,
                         sizeof notes);
    assert_string_equal(notes, "One.\n  two\n");
    source_first_comment("/* SPDX-License-Identifier: BSD-3-Clause */\nint x; /* other */", notes, sizeof notes);
    assert_string_equal(notes, "");
    assert_int_equal(source_first_comment("int x;", notes, sizeof notes), 0);
    assert_int_equal(source_first_comment("/* no end", notes, sizeof notes), 0);
    assert_null(source_path("no/such.file.c"));
}

TEST(every_sequence_and_kernel_here_has_its_source)
{
    char notes[8192];
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++) {
        const char *name = (*sequence)->name; /* of a kernel in C its own */
        const struct source *source = sequence_is_step(*sequence) ? source_of_kernel(name) : source_of_sequence(name);
        assert_non_null(source->path);
        assert_true(source_notes(source->path, notes, sizeof notes) > 0);
    }
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        assert_non_null(source_of_kernel((*kernel)->name)->path);
        assert_true(source_notes(source_of_kernel((*kernel)->name)->path, notes, sizeof notes) > 0);
    }
    assert_null(source_of_kernel("no.such.kernel")->name);
}

TEST(words_and_symbols_find_their_term)
{
    static const char *const words[][2] = {{"γ", "gamma"},      {"GAMMA", "gamma"}, {"β", "beta"},
                                           {"ω", "omega"},      {"b", "B"},         {"B/vec", "B"},
                                           {"B/gamma", "knee"}, {"pmu", "grade"},   {"gamma_up", "gamma_up"},
                                           {"warm", "cold"},    {"n_star", "N*"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const struct term *term = term_find(words[i][0]);
        assert_non_null(term);
        assert_string_equal(term->name, words[i][1]);
    }
    static const char *const none[] = {"", "gam", "gamma ", " ", "pmu chain", "int2_vnni4"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(term_find(none[i]));
    for (size_t i = 0; i < term_count; i++) {
        assert_ptr_equal(term_find(terms[i].name), &terms[i]);
        assert_true(terms[i].what[0] && terms[i].how[0]);
        assert_true(!terms[i].others ||
                    (terms[i].others[0] == ' ' && terms[i].others[strlen(terms[i].others) - 1] == ' '));
    }
}

RUN_TESTS(NULL, NULL)
