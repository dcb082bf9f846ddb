/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/latex.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "results/files/need.h"

static const struct replacement {
    const char *text, *latex;
} replacements[] = {
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"%", "\\%"},
    {"_", "\\_"},
    {"^", "\\textasciicircum{}"},
    {"~", "\\textasciitilde{}"},
    {"<", "\\ensuremath{<}"},
    {">", "\\ensuremath{>}"},
    {"|", "\\textbar{}"},
    {"α", "\\ensuremath{\\alpha}"},
    {"β", "\\ensuremath{\\beta}"},
    {"γ", "\\ensuremath{\\gamma}"},
    {"σ", "\\ensuremath{\\sigma}"},
    {"ω", "\\ensuremath{\\omega}"},
    {"µ", "\\ensuremath{\\mu}"},
    {"×", "\\ensuremath{\\times}"},
    {"·", "\\ensuremath{\\cdot}"},
    {"≤", "\\ensuremath{\\leq}"},
    {"≥", "\\ensuremath{\\geq}"},
    {"²", "\\ensuremath{^2}"},
    {"…", "\\dots{}"},
    {"’", "'"},
    {"●", "\\ensuremath{\\bullet}"},
    {"○", "\\ensuremath{\\circ}"},
    {"◆", "\\ensuremath{\\blacklozenge}"},
    {"◇", "\\ensuremath{\\lozenge}"},
    {"▲", "\\ensuremath{\\blacktriangle}"},
    {"△", "\\ensuremath{\\vartriangle}"},
    {"▬", "\\rule[0.4ex]{1em}{0.3ex}"},
    {"╍", "\\rule[0.4ex]{0.4em}{0.2ex}\\,\\rule[0.4ex]{0.4em}{0.2ex}"},
    {"│", "\\textbar{}"},
};

/* Write the character that the text begins with. @return bytes that it has */
static size_t write_character(FILE *out, const char *text)
{
    for (size_t i = 0; i < sizeof replacements / sizeof *replacements; i++) {
        size_t length = strlen(replacements[i].text);
        if (strncmp(text, replacements[i].text, length) == 0) {
            fputs(replacements[i].latex, out);
            return length;
        }
    }
    fputc(*text, out);
    return 1;
}

/* Whether the text is a number of an axis, which gnuplot writes as mathematics: "$16$", "$1\times10^{6}$". */
static bool is_number(const char *text, size_t length)
{
    static const char power[] = "\\times10^{";
    if (length < 3 || text[0] != '$' || text[length - 1] != '$')
        return false;
    size_t at = 1;
    at += strspn(text + at, "+-.0123456789");
    if (strncmp(text + at, power, strlen(power)) == 0) {
        at += strlen(power);
        at += strspn(text + at, "+-0123456789");
        at += text[at] == '}';
    }
    return at == length - 1;
}

static void write_text(FILE *out, const char *text, size_t length)
{
    if (is_number(text, length)) {
        fwrite(text, 1, length, out);
        return;
    }
    for (size_t at = 0; at < length;)
        at += write_character(out, text + at);
}

/* A line of the terminal's, of which what follows \strut{} is text up to the braces that the line closes. */
static void write_line(FILE *out, const char *line, size_t length)
{
    static const char begin[] = "\\strut{}";
    const char *strut = memmem(line, length, begin, strlen(begin));
    if (!strut) {
        fwrite(line, 1, length, out);
        return;
    }
    const char *text = strut + strlen(begin), *end = line + length;
    bool rotated = memmem(line, (size_t)(strut - line), "\\rotatebox", strlen("\\rotatebox"));
    const char *closing = rotated ? "}}}%" : "}}%";
    size_t closes = strlen(closing);
    if ((size_t)(end - text) < closes || strncmp(end - closes, closing, closes) != 0)
        closes = 0;
    fwrite(line, 1, (size_t)(text - line), out);
    write_text(out, text, (size_t)(end - text) - closes);
    fwrite(end - closes, 1, closes, out);
}

/* A line with the name of the graphic, which no text is in. */
static bool write_graphic(FILE *out, const char *line, size_t length, const char *graphic, const char *named)
{
    static const char include[] = "\\includegraphics[";
    const char *name =
        memmem(line, length, include, strlen(include)) ? memmem(line, length, graphic, strlen(graphic)) : NULL;
    if (!name)
        return false;
    fwrite(line, 1, (size_t)(name - line), out);
    fputs(named, out);
    name += strlen(graphic);
    fwrite(name, 1, (size_t)(line + length - name), out);
    return true;
}

/* For \input outside of a figure there is no caption, and a paper that writes its own defines \kneepointcaption as nothing. */
static void write_caption(FILE *out, const char *caption)
{
    fputs("\\providecommand{\\kneepointcaption}[1]"
          "{\\expandafter\\ifx\\csname @captype\\endcsname\\relax\\else\\caption{#1}\\fi}%\n\\kneepointcaption{",
          out);
    write_text(out, caption, strlen(caption));
    fputs("}%\n", out);
}

char *latex_text(const char *drawn, const char *graphic, const char *named, const char *caption)
{
    char *text = NULL;
    size_t size;
    FILE *out = need_stream(&text, &size);
    if (!out)
        return NULL;
    while (*drawn) {
        size_t length = strcspn(drawn, "\n");
        if (!write_graphic(out, drawn, length, graphic, named))
            write_line(out, drawn, length);
        drawn += length;
        if (*drawn)
            fputc(*drawn++, out);
    }
    if (caption)
        write_caption(out, caption);
    return need_close(out) == 0 ? text : NULL;
}
