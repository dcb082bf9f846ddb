/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/html.h"

#include <math.h>

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

void html_text(FILE *html, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (entity(*text))
            fputs(entity(*text), html);
        else if (c >= ' ' || c == '\n' || c == '\t')
            fputc(c, html);
    }
}

void html_cell(FILE *html, const char *text)
{
    fputs("<td>", html);
    html_text(html, text);
    fputs("</td>", html);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
void html_number(FILE *html, const char *format, double value)
{
    if (!isfinite(value)) {
        fputs("<td class=\"n\" data-v=\"\">–</td>", html);
        return;
    }
    fprintf(html, "<td class=\"n\" data-v=\"%.9g\">", value);
    fprintf(html, format, value);
    fputs("</td>", html);
}
#pragma GCC diagnostic pop
