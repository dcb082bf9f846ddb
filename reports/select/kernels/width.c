/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/width.h"

#include <ctype.h>

#include "reports/select/run/view.h"

static const struct width widths[] = {
    {"1", 0.9, 1.3, "int1_planes int1_vnni4"},
    {"1.58", 1.5, 1.8, "tq1_0 tl2"},
    {"2", 1.9, 2.3, "int2_planes int2_vnni4 i2_s tl1"},
    {"2.6", 2.4, 2.89, "q2_k q2_k_m16 cb2_4"},
    {"3.5", 2.9, 3.85, NULL},
    {"4", 3.9, 4.1, NULL},
    {"4.5", 4.2, 4.9, "q4_0 q4_0_m16"},
    {"5.5", 5.0, 5.9, NULL},
    {"6.5", 6.0, 7.0, NULL},
    {"8", 7.8, 8.8, "int8_vnni4 q8_0_m16"},
    {"16", 15.5, 16.5, "bf16 f16"},
    {"32", 31.5, 32.5, NULL},
};
enum { WIDTHS = sizeof widths / sizeof *widths };
_Static_assert(WIDTHS <= (int)WIDTHS_MAX, "callers have room for them");

size_t widths_all(const struct width **all)
{
    *all = widths;
    return WIDTHS;
}

const struct width *width_of_bits(double bits)
{
    for (size_t i = 0; i < WIDTHS; i++) {
        if (bits >= widths[i].least && bits <= widths[i].most)
            return &widths[i];
    }
    return NULL;
}

const struct width *width_of(const json_t *record)
{
    struct scheme_bits bits;
    return scheme_bits_of(record, &bits) && bits.activations < 8 ? NULL : width_of_bits(view_format_bits(record));
}

/* A letter and a digit of 1 to 8, after which no further digit; 0: there is none. */
static unsigned bits_at(const char *text, char letter)
{
    bool is_there = text[0] == letter && text[1] >= '1' && text[1] <= '8' && !isdigit((unsigned char)text[2]);
    return is_there ? (unsigned)(text[1] - '0') : 0;
}

bool scheme_bits_of(const json_t *record, struct scheme_bits *bits)
{
    const char *format = view_text(record, "format"), *sequence = view_text(record, "sequence");
    bits->weights = bits_at(format, 'w');
    if (!bits->weights)
        return false;
    bits->activations = bits_at(format + 2, 'a');
    if (!bits->activations && (format[2] == '\0' || format[2] == '_'))
        bits->activations = bits_at(sequence, 'a');
    return bits->activations > 0;
}
