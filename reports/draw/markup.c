/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/markup.h"

#include <stddef.h>

static const char *entity(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

void markup_text(FILE *stream, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (entity(*text))
            fputs(entity(*text), stream);
        else if (c >= ' ' || c == '\n' || c == '\t')
            fputc(c, stream);
    }
}
