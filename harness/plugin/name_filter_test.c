/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/plugin/name_argument.h"
#include "harness/plugin/name_filter.h"
#include "unit_test.h"

enum { WHY = 256 };

TEST(a_name_means_whole_parts_before_beginnings)
{
    static const char *const names[] = {"int2.mask.avx2", "int2.mask.avx512", "int2_wide.mask.avx2",
                                        "int1_a.mask.avx2"};
    static const struct {
        const char *given;
        const char *means; /* of each name, '1' or '0' */
    } cases[] = {
        {"int2", "1100"},
        {"int2.mask", "1100"},
        {"int2.mask.avx2", "1000"},
        {"int", "1111"},
        {"int2_", "0010"},
        {"int2.ma", "1100"},
        {"*.avx2", "1011"},
        {"int[12]*.mask", "1111"},
        {"int?.mask", "1100"},
        {"int3", "0000"},
        {"", "0000"},
        {"*", "1111"},
        {"nt2", "0000"},
        {"int2.mask.", "1100"},
        {"int2.mask.avx2.x", "0000"},
        {"*.avx", "0000"},
        {"INT2", "1100"},
        {"Int2.Ma", "1100"},
        {"*.AVX2", "1011"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct name_argument given = name_argument_begin(cases[c].given);
        for (size_t i = 0; i < 4; i++)
            name_argument_hold(&given, names[i]);
        for (size_t i = 0; i < 4; i++)
            assert_int_equal(name_argument_is(&given, names[i]), cases[c].means[i] - '0');
    }
}

TEST(a_kind_of_file_means_no_format_that_begins_so)
{
    char text[160];
    for (size_t i = 0; i < 2; i++) {
        struct name_argument given = name_argument_begin(i ? "Q4_K_M" : "q4_k_m");
        name_argument_hold(&given, "q4_k_m16.lanes.avx2");
        assert_false(name_argument_is(&given, "q4_k_m16.lanes.avx2"));
        assert_string_equal(
            name_argument_hint(given.text, false, text, sizeof text),
            "; q4_k_m is a kind of file, not a format: name q4_k and q6_k, or run `kneepoint decode --type=q4_k_m`");
    }
    struct name_argument longer = name_argument_begin("q4_k_m1"), whole = name_argument_begin("q4_k_m");
    assert_true(name_argument_is(&longer, "q4_k_m16.lanes.avx2"));
    name_argument_hold(&whole, "q4_k_m.of_a_plug_in.avx2"); /* is called so itself */
    assert_true(name_argument_is(&whole, "q4_k_m.of_a_plug_in.avx2"));
    assert_string_equal(name_argument_hint("IQ3_XS", true, text, sizeof text),
                        "; iq3_xs is a kind of file, whose formats are not here: run `kneepoint model FILE.gguf`");
    assert_string_equal(name_argument_hint("nothing near", true, text, sizeof text), "");
}

TEST(every_name_means_itself)
{
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        assert_true(name_argument_means((*kernel)->name, (*kernel)->name));
        assert_true(name_argument_means((*kernel)->format->name, (*kernel)->name));
        char upper[128] = "";
        for (size_t i = 0; (*kernel)->name[i] && i + 1 < sizeof upper; i++)
            upper[i] = (char)toupper((unsigned char)(*kernel)->name[i]);
        assert_true(name_argument_means(upper, (*kernel)->name));
        assert_ptr_equal(kernel_find(upper), *kernel);
    }
}

TEST(bits_are_numbers_or_ranges)
{
    static const struct {
        const char *text;
        double least, most; /* NAN: refused */
    } cases[] = {{"2", 2, 2},
                 {"1..2", 1, 2},
                 {"1.58", 1.58, 1.58},
                 {"1.5..2.75", 1.5, 2.75},
                 {"4..", 4, (double)INFINITY},
                 {"..2", 0, 2},
                 {"..", (double)NAN, 0},
                 {"", (double)NAN, 0},
                 {"2..1", (double)NAN, 0},
                 {"x", (double)NAN, 0},
                 {"2x", (double)NAN, 0},
                 {"1..x", (double)NAN, 0},
                 {"-1", (double)NAN, 0},
                 {"1..2..3", (double)NAN, 0},
                 {"1.", 1, 1},
                 {"nan", (double)NAN, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct name_filter filter = {0};
        int error = name_filter_parse_bits(cases[i].text, &filter);
        assert_int_equal(error, isnan(cases[i].least) ? -EINVAL : 0);
        if (error)
            continue;
        assert_true(filter.bits_least == cases[i].least && filter.bits_most == cases[i].most);
    }
}

TEST(what_is_wanted_is_kept_and_what_is_unknown_is_named)
{
    char why[WHY] = "";
    const struct kernel *const *all = kernel_all();
    const struct name_filter everything = {0};
    assert_false(name_filter_is_set(&everything));
    assert_int_equal(name_filter_check(&everything, why, sizeof why), 0);
    if (!*all)
        return;
    const struct kernel *first = *all;
    char both[160];
    snprintf(both, sizeof both, "nothing,%s", first->isa);
    const struct name_filter own = {.format = first->format->name, .isa = first->isa, .origin = first->origin},
                             listed = {.isa = both}, other = {.isa = first->isa, .origin = "no-paper"};
    assert_int_equal(name_filter_check(&own, why, sizeof why), 0);
    assert_true(name_filter_is_set(&own));
    for (; *all; all++) {
        assert_true(name_filter_has_kernel(&everything, *all));
        assert_int_equal(name_filter_has_kernel(&own, *all), (*all)->format == first->format &&
                                                                 strcmp((*all)->isa, first->isa) == 0 &&
                                                                 strcmp((*all)->origin, first->origin) == 0);
        assert_int_equal(name_filter_has_kernel(&listed, *all), strcmp((*all)->isa, first->isa) == 0);
    }
    assert_int_equal(name_filter_check(&listed, why, sizeof why), -ENOENT);
    assert_ptr_equal(strstr(why, "--isa=nothing: no kernel or sequence here has that instruction set"), why);
    assert_int_equal(name_filter_check(&other, why, sizeof why), -ENOENT);
    assert_ptr_equal(strstr(why, "--origin=no-paper: no kernel or sequence here has that origin"), why);
    char text[80];
    assert_string_equal(name_filter_text(&other, text, sizeof text) + strlen("--isa=") + strlen(first->isa),
                        " --origin=no-paper");
}

TEST(bits_of_sequences_are_those_of_their_format)
{
    struct name_filter filter = {0};
    assert_int_equal(name_filter_parse_bits("1..2", &filter), 0);
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++) {
        const struct format *format = format_find((*sequence)->format);
        double bits = format ? format->bits : (*sequence)->bytes_per_vector / 4;
        assert_int_equal(name_filter_has_sequence(&filter, *sequence), bits >= 1 && bits <= 2);
    }
}

RUN_TESTS(NULL, NULL)
