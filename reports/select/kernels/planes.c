/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/planes.h"

#include <ctype.h>

#include "reports/select/run/view.h"

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
