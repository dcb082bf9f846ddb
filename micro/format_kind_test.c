/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/format_kind.h"

#include <stdio.h>
#include <string.h>

#include "unit_test.h"

TEST(kinds_are_those_of_the_definitions)
{
    static const struct {
        const char *name;
        enum format_kind kind;
    } cases[] = {
        {"int4_vnni4", FORMAT_INTEGERS},
        {"int2_planes", FORMAT_INTEGERS},
        {"w2", FORMAT_INTEGERS},
        {"i2_s", FORMAT_INTEGERS},
        {"tl2", FORMAT_INTEGERS},
        {"tl1", FORMAT_INTEGERS},
        {"q1_0", FORMAT_SCALED_INTEGERS},
        {"tq1_0", FORMAT_SCALED_INTEGERS},
        {"tq2_0", FORMAT_SCALED_INTEGERS},
        {"q2_0", FORMAT_SCALED_INTEGERS},
        {"ptq1_0_m16", FORMAT_SCALED_INTEGERS},
        {"q2_k", FORMAT_SCALED_INTEGERS},
        {"q2_k_m16", FORMAT_SCALED_INTEGERS},
        {"q3_k", FORMAT_SCALED_INTEGERS},
        {"q4_0", FORMAT_SCALED_INTEGERS},
        {"q4_0_m16", FORMAT_SCALED_INTEGERS},
        {"q4_k", FORMAT_SCALED_INTEGERS},
        {"q5_k", FORMAT_SCALED_INTEGERS},
        {"q6_k", FORMAT_SCALED_INTEGERS},
        {"q8_0", FORMAT_SCALED_INTEGERS},
        {"tmac2_g128", FORMAT_SCALED_INTEGERS},
        {"mixed24", FORMAT_SCALED_INTEGERS},
        {"iq4_nl", FORMAT_CODEBOOK},
        {"iq4_nl_m16", FORMAT_CODEBOOK},
        {"cb2_4", FORMAT_CODEBOOK},
        {"cb2_16", FORMAT_CODEBOOK},
        {"cb3", FORMAT_CODEBOOK},
        {"iq2_s_standin", FORMAT_CODEBOOK},
        {"mxfp4", FORMAT_CODEBOOK},
        {"nvfp4", FORMAT_CODEBOOK},
        {"nvfp4_m16", FORMAT_CODEBOOK},
        {"f16", FORMAT_FLOATS},
        {"bf16", FORMAT_FLOATS},
        {"f32", FORMAT_FLOATS},
    };
    size_t found = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct format *format = format_find(cases[i].name);
        if (!format) /* of another architecture */
            continue;
        found++;
        if (format_kind(format) != cases[i].kind)
            fail_msg("%s: %s, not %s", cases[i].name, format_kind_name(format_kind(format)),
                     format_kind_name(cases[i].kind));
    }
    assert_true(found > sizeof cases / sizeof *cases / 2);
}

/** A rearranged format is of the kind of the one it rearranges: bits that are as many and a name that begins alike. */
TEST(rearranged_formats_are_of_one_kind)
{
    size_t pairs = 0;
    for (const struct format *const *one = format_all(); *one; one++) {
        for (const struct format *const *other = one + 1; *other; other++) {
            if ((*one)->bits != (*other)->bits || strncmp((*other)->name, (*one)->name, strlen((*one)->name)) != 0)
                continue;
            pairs++;
            if (format_kind(*one) != format_kind(*other))
                fail_msg("%s is %s, %s is %s", (*one)->name, format_kind_name(format_kind(*one)), (*other)->name,
                         format_kind_name(format_kind(*other)));
        }
    }
    assert_true(pairs > 0);
}

RUN_TESTS(NULL, NULL)
